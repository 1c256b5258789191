/** The checks of a SAML response that need no database. They run in a thread (`saml-thread.ts`), because they parse what anyone can send. */
import type { Profile } from '@node-saml/node-saml';
import type { Identity } from './find-or-link-user.ts';
import { personName } from './person-name.ts';
import { SsoRefusal } from './refusal.ts';
import { confirmationOf } from './saml-assertion.ts';
import { type ServiceProvider, serviceProvider } from './saml-service-provider.ts';

const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const FIRST_NAME_ATTRIBUTES = [
  'givenName',
  'firstName',
  'given_name',
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
];
const LAST_NAME_ATTRIBUTES = [
  'sn',
  'surname',
  'lastName',
  'family_name',
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
];
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const TRANSIENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** A response as the browser posted it, and what it has to answer. */
export interface SamlQuestion extends ServiceProvider {
  /** In base64. */
  samlResponse: string;
  /** The identity provider's entity ID. */
  issuer: string;
  /** In milliseconds since 1970. */
  now: number;
}

/** Whom the identity provider has signed in, and the assertion's id, so that it is accepted once. */
export interface SamlAnswer extends Identity {
  assertionId: string;
  expiresAt: Date;
}

/**
 * Returns whom the identity provider has signed in. The assertion has to be signed with one of the certificates, be meant for us, answer our
 * request, and be within its time. Throws for anything else.
 */
export async function checkSamlResponse({ samlResponse, issuer, now, ...provider }: SamlQuestion): Promise<SamlAnswer> {
  refuseWeakAlgorithms(Buffer.from(samlResponse, 'base64').toString('utf8'));
  const { profile } = await serviceProvider(provider).validatePostResponseAsync({ SAMLResponse: samlResponse });
  if (!profile?.getAssertion) throw new SsoRefusal('NO_ASSERTION');
  if (profile.issuer !== issuer) throw new SsoRefusal('ISSUER_DIFFERS');
  const expected = { recipient: provider.callbackUrl, requestId: provider.requestId };
  const { id: assertionId, expiresAt } = confirmationOf(profile.getAssertion(), expected, new Date(now));
  if (!profile.nameID?.trim() || profile.nameIDFormat === TRANSIENT_FORMAT) throw new SsoRefusal('NO_SUBJECT');
  const name = personName(textOf(profile, FIRST_NAME_ATTRIBUTES), textOf(profile, LAST_NAME_ATTRIBUTES));
  return { subject: profile.nameID, email: emailOf(profile), name, assertionId, expiresAt };
}

/** The library still accepts SHA-1. An entity in an algorithm's name can only be an attempt to hide one. */
function refuseWeakAlgorithms(xml: string): void {
  const algorithms = [...xml.matchAll(/Algorithm\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
    ([, quoted, singleQuoted]) => quoted ?? singleQuoted,
  );
  if (algorithms.some((name) => /sha1|md5|hmac|&/i.test(name ?? ''))) throw new SsoRefusal('WEAK_SIGNATURE');
}

/** Returns the first of these attributes that is a text. */
function textOf(profile: Profile, names: readonly string[]): string | null {
  const attributes = (profile['attributes'] ?? {}) as Record<string, unknown>;
  return names.map((name) => attributes[name]).find((value) => typeof value === 'string') ?? null;
}

const emailOf = (profile: Profile): string | null =>
  textOf(profile, EMAIL_ATTRIBUTES) ?? (profile.nameIDFormat === EMAIL_FORMAT ? profile.nameID : null);
