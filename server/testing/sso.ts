import type { NewSsoConnection, SsoConnection } from '#contract/admin.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { type Client, signIn, type TestApp } from './app.ts';

/** An organisation with an administrator, who is signed in. Tokens of others say the real time: the test's clock is set to it. */
export async function organizationWithAdministrator(app: TestApp) {
  app.clock.advance(Date.now() - app.clock.now().getTime());
  await ensurePartitions(app.database.pipeline, app.clock.now());
  const team = await app.make.team();
  const administrator = await app.make.user({ team, role: 'administrator' });
  return { team, organizationId: team.organizationId, admin: await signIn(app, administrator.username) };
}

const EXPERIENCES = { OIDC: 'JANUS_AUTH0_SSO', SAML: 'JANUS_ENTERPRISE_SSO', SMART: 'JANUS_EHR_SSO' } as const;

let count = 0;

/** Sets a connection up as the administrator does. */
export function connect(
  admin: Client,
  over: Partial<NewSsoConnection> & Pick<NewSsoConnection, 'kind' | 'issuer'>,
): Promise<SsoConnection> {
  const body: NewSsoConnection = {
    name: `Connection ${++count}`,
    isEnabled: true,
    domains: [],
    clientId: over.kind === 'SAML' ? null : 'tidings',
    entryPoint: over.kind === 'SAML' ? 'https://identity.test/sign-in' : null,
    certificates: [],
    allowedOrigins: [],
    applicationExperience: EXPERIENCES[over.kind],
    ...over,
  };
  return admin.call('POST /api/admin/sso-connections', { body });
}

/** The path and query of an address of ours, wherever our pages are said to be reached. */
export const pathOf = (address: string | null): string => {
  const { pathname, search } = new URL(address ?? '', 'http://tidings.test');
  return pathname + search;
};
