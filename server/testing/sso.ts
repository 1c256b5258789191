import type { NewSsoConnection, SsoConnection } from '#contract/admin.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { type Client, signIn, type TestApp } from './app.ts';

/**
 * Creates an organization with an administrator, and signs the administrator in. Sets the test clock to the real time, because
 * identity providers issue tokens with the real time.
 */
export async function organizationWithAdministrator(app: TestApp) {
  app.clock.advance(Date.now() - app.clock.now().getTime());
  await ensurePartitions(app.database.pipeline, app.clock.now());
  const team = await app.make.team();
  const administrator = await app.make.user({ team, role: 'administrator' });
  return { team, organizationId: team.organizationId, admin: await signIn(app, administrator.username) };
}

const EXPERIENCES = { OIDC: 'JANUS_AUTH0_SSO', SAML: 'JANUS_ENTERPRISE_SSO', SMART: 'JANUS_EHR_SSO' } as const;

let count = 0;

/**
 * Sets up a connection as an administrator does, and verifies its domains. It counts as tested and is enabled, unless `over` says otherwise. An EHR
 * gets the domain of the factories' users.
 */
export async function connect(
  app: TestApp,
  admin: Client,
  over: Partial<NewSsoConnection> & Pick<NewSsoConnection, 'kind' | 'issuer'>,
): Promise<SsoConnection> {
  const body: NewSsoConnection = {
    name: `Connection ${++count}`,
    isEnabled: true,
    domains: over.kind === 'SMART' ? ['tidings.test'] : [],
    clientId: over.kind === 'SAML' ? null : 'tidings',
    entryPoint: over.kind === 'SAML' ? 'https://identity.test/sign-in' : null,
    certificates: [],
    allowedOrigins: [],
    applicationExperience: EXPERIENCES[over.kind],
    ...over,
  };
  const needsTest = body.isEnabled && body.kind !== 'SMART';
  const added = { ...body, isEnabled: body.isEnabled && !needsTest };
  let connection = await admin.call('POST /api/admin/sso-connections', { body: added });
  for (const domain of connection.domains) {
    const params = { id: connection.id };
    connection = await admin.call('POST /api/admin/sso-connections/:id/check-domain', { params, body: { domain } });
  }
  if (!needsTest) return connection;
  await enableUntested(app, connection.id);
  const all = await admin.call('GET /api/admin/sso-connections', {});
  return all.find(({ id }) => id === connection.id) ?? connection;
}

/** Enables a connection as if its sign-in had been tested. */
export async function enableUntested({ database }: TestApp, id: string): Promise<void> {
  await database.owner.query('update sso_connections set tested_at = now(), is_enabled = true where id = $1', [id]);
}

/** Returns the path and query of one of our URLs, whatever the public URL is. */
export const pathOf = (address: string | null): string => {
  const { pathname, search } = new URL(address ?? '', 'http://tidings.test');
  return pathname + search;
};
