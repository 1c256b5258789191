/** Sign-in through an enterprise's identity provider (SAML 2.0 web browser SSO: redirect out, post back). */
import { generateServiceProviderMetadata } from '@node-saml/node-saml';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { Identity } from './find-or-link-user.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { type Connection, useAssertion } from './queries.ts';
import { SsoRefusal } from './refusal.ts';
import type { SamlChecker } from './saml-checker.ts';
import { type ServiceProvider, serviceProvider } from './saml-service-provider.ts';
import { callbackUrl, metadataUrl } from './sso-urls.ts';

const providerOf = (connection: Connection, requestId: string, publicUrl: string): ServiceProvider => ({
  entityId: metadataUrl(publicUrl, connection),
  callbackUrl: callbackUrl(publicUrl, connection),
  entryPoint: connection.entryPoint,
  certificates: connection.certificates,
  requestId,
});

/** Returns the identity provider's address that the browser is sent to, with our request in it. */
export async function samlStart(connection: Connection, pending: PendingSignIn, publicUrl: string): Promise<string> {
  const provider = serviceProvider(providerOf(connection, pending.requestId, publicUrl));
  return provider.getAuthorizeUrlAsync(pending.state, undefined, {});
}

export interface SamlPost {
  requestId: string;
  /** The identity provider's answer in base64. */
  samlResponse: string;
  publicUrl: string;
  /** The address that sent it. */
  address: string;
}

/** Returns the person whom the identity provider has signed in. Throws as `SamlChecker.check` does, and ASSERTION_USED. */
export async function samlIdentity(
  { db, checker }: { db: Queryable; checker: SamlChecker },
  connection: Connection,
  { requestId, samlResponse, publicUrl, address }: SamlPost,
  now: Date,
): Promise<Identity> {
  const { issuer } = connection;
  const question = { ...providerOf(connection, requestId, publicUrl), samlResponse, issuer, now: now.getTime() };
  const { assertionId, expiresAt, ...identity } = await checker.check(question, address);
  if (!(await useAssertion(db, hashOf(`${connection.id} ${assertionId}`), expiresAt, now))) {
    throw new SsoRefusal('ASSERTION_USED');
  }
  return identity;
}

/** Returns our metadata for the identity provider's administrator (SAML metadata 2.0). */
export const samlMetadata = (connection: Pick<Connection, 'key' | 'kind'>, publicUrl: string): string =>
  generateServiceProviderMetadata({
    issuer: metadataUrl(publicUrl, connection),
    callbackUrl: callbackUrl(publicUrl, connection),
    identifierFormat: null,
    wantAssertionsSigned: true,
  });
