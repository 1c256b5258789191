/** Sign-in through an enterprise's identity provider (SAML 2.0 web browser SSO: redirect out, post back). */
import { type CacheProvider, generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { Identity } from './find-or-link-user.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { type Connection, useAssertion } from './queries.ts';
import { SsoRefusal } from './refusal.ts';
import { CLOCK_SKEW, confirmationOf } from './saml-assertion.ts';
import { callbackUrl, metadataUrl } from './sso-urls.ts';
import { isWithinXmlLimits } from './xml-limits.ts';

const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const TRANSIENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

function serviceProvider(connection: Connection, requestId: string, publicUrl: string): SAML {
  const entityId = metadataUrl(publicUrl, connection);
  return new SAML({
    idpCert: connection.certificates,
    issuer: entityId,
    audience: entityId,
    callbackUrl: callbackUrl(publicUrl, connection),
    ...(connection.entryPoint === null ? {} : { entryPoint: connection.entryPoint }),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: onlyRequest(requestId),
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: CLOCK_SKEW,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
  });
}

/** Tells the library which request may be answered. That it is answered only once, `takePendingSignIn` ensures. */
const onlyRequest = (requestId: string): CacheProvider => ({
  saveAsync: async (_key, value) => ({ value, createdAt: Date.now() }),
  getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
  removeAsync: async () => null,
});

/** Returns the identity provider's address that the browser is sent to, with our request in it. */
export async function samlStart(connection: Connection, pending: PendingSignIn, publicUrl: string): Promise<string> {
  return serviceProvider(connection, pending.requestId, publicUrl).getAuthorizeUrlAsync(pending.state, undefined, {});
}

/**
 * Returns the person whom the identity provider has signed in. `samlResponse` is its answer in base64. The assertion has to be signed with one
 * of the connection's certificates, be meant for us, answer this request, be within its time, and be new. Throws for anything else.
 */
export async function samlIdentity(
  db: Queryable,
  connection: Connection,
  { requestId, samlResponse, publicUrl }: { requestId: string; samlResponse: string; publicUrl: string },
  now: Date,
): Promise<Identity> {
  const xml = Buffer.from(samlResponse, 'base64').toString('utf8');
  if (!isWithinXmlLimits(xml)) throw new SsoRefusal('OVERSIZED');
  refuseWeakAlgorithms(xml);
  const { profile } = await serviceProvider(connection, requestId, publicUrl).validatePostResponseAsync({
    SAMLResponse: samlResponse,
  });
  if (!profile?.getAssertion) throw new SsoRefusal('NO_ASSERTION');
  if (profile.issuer !== connection.issuer) throw new SsoRefusal('ISSUER_DIFFERS');
  const expected = { recipient: callbackUrl(publicUrl, connection), requestId };
  const { id, expiresAt } = confirmationOf(profile.getAssertion(), expected, now);
  if (!profile.nameID || profile.nameIDFormat === TRANSIENT_FORMAT) throw new SsoRefusal('NO_SUBJECT');
  if (!(await useAssertion(db, hashOf(`${connection.id} ${id}`), expiresAt, now))) {
    throw new SsoRefusal('ASSERTION_USED');
  }
  return { subject: profile.nameID, email: emailOf(profile) };
}

/** The library still accepts SHA-1. An entity in an algorithm's name, or a document type, can only be an attempt to hide one. */
function refuseWeakAlgorithms(xml: string): void {
  const algorithms = [...xml.matchAll(/Algorithm\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
    ([, quoted, singleQuoted]) => quoted ?? singleQuoted,
  );
  if (/<!DOCTYPE/i.test(xml) || algorithms.some((name) => /sha1|md5|hmac|&/i.test(name ?? ''))) {
    throw new SsoRefusal('WEAK_SIGNATURE');
  }
}

function emailOf(profile: { nameID: string; nameIDFormat: string; attributes?: unknown }): string | null {
  const attributes = (profile.attributes ?? {}) as Record<string, unknown>;
  const given = EMAIL_ATTRIBUTES.map((name) => attributes[name]).find((value) => typeof value === 'string');
  if (typeof given === 'string') return given;
  return profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : null;
}

/** Returns our metadata for the identity provider's administrator (SAML metadata 2.0). */
export const samlMetadata = (connection: Pick<Connection, 'key' | 'kind'>, publicUrl: string): string =>
  generateServiceProviderMetadata({
    issuer: metadataUrl(publicUrl, connection),
    callbackUrl: callbackUrl(publicUrl, connection),
    identifierFormat: null,
    wantAssertionsSigned: true,
  });
