import { X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import type { ssoConnectionFields } from '#contract/admin.ts';
import { EXPERIENCES_BY_SIGN_IN } from '#contract/experiences.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { withoutTrailingSlashes } from '#server/platform/text/trailing-slashes.ts';

export type ConnectionFields = z.output<typeof ssoConnectionFields>;

/** Why an administrator of some groups may not change a connection. */
export const WHOLE_ORGANIZATION =
  'Only an administrator who manages every group of the organization can change how people sign in.';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** The shortest RSA key that may sign, in bits (NIST SP 800-131A), and the longest: a check takes the longer the longer the key is. */
const KEY_BITS = { least: 2048, most: 8192 };

/**
 * Returns the fields as they are stored: without those that the kind does not use, with URLs and certificates normalized. Throws
 * BAD_REQUEST that names each field that cannot work. `allowHttp`: identity providers may be reached without TLS.
 */
export function checkConnection(
  given: ConnectionFields,
  { allowHttp, now }: { allowHttp: boolean; now: Date },
): ConnectionFields {
  const wrong: Record<string, string> = {};
  const check = (field: keyof ConnectionFields, isRight: boolean, message: string) => {
    if (!isRight && wrong[field] === undefined) wrong[field] = message;
  };
  const { kind } = given;
  const isSaml = kind === 'SAML';
  const certificates = isSaml ? given.certificates.map((text) => certificateOf(text, now)) : [];
  const fields: ConnectionFields = {
    ...given,
    name: given.name.trim(),
    domains: [...new Set(given.domains.map((domain) => domain.trim().toLowerCase().replace(/^@/, '')))],
    issuer: isSaml ? given.issuer.trim() : withoutTrailingSlashes(given.issuer.trim()),
    clientId: isSaml ? null : given.clientId?.trim() || null,
    entryPoint: isSaml ? (given.entryPoint?.trim() ?? '') : null,
    certificates: certificates.map(({ pem }) => pem),
    allowedOrigins: kind === 'SMART' ? [...new Set(given.allowedOrigins.map((origin) => origin.trim()))] : [],
  };
  const isAddress = (text: string) => isWebAddress(text, allowHttp);
  check('name', fields.name !== '' && fields.name.length <= 100, 'Enter a name.');
  check(
    'domains',
    fields.domains.every((domain) => isDomain(domain)),
    "Enter domains like 'lakeshore.example'.",
  );
  check(
    'issuer',
    isSaml ? /^\S{1,1024}$/.test(fields.issuer) : isAddress(fields.issuer),
    isSaml ? 'Enter the entity ID.' : 'Enter a URL that starts with https://.',
  );
  check('clientId', isSaml || fields.clientId !== null, 'Enter the client ID.');
  check('entryPoint', !isSaml || isAddress(fields.entryPoint ?? ''), 'Enter a URL that starts with https://.');
  check('certificates', !isSaml || certificates.length > 0, 'Add the certificate that signs assertions.');
  for (const { problem } of certificates) check('certificates', problem === null, problem ?? '');
  const isOrigin = (text: string) => isAddress(text) && new URL(text).origin === text;
  check('allowedOrigins', fields.allowedOrigins.every(isOrigin), "Enter origins like 'https://ehr.example'.");
  const experiences: readonly string[] = EXPERIENCES_BY_SIGN_IN[kind];
  check(
    'applicationExperience',
    experiences.includes(given.applicationExperience),
    `Choose ${experiences.join(' or ')}.`,
  );
  if (Object.keys(wrong).length > 0) throw new ApiError('BAD_REQUEST', { fields: wrong });
  return fields;
}

function isWebAddress(text: string, allowHttp: boolean): boolean {
  if (text.length > 1024 || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (allowHttp && protocol === 'http:');
  return isSafe && username === '' && password === '' && hash === '' && !/[\s;,'"*]/.test(text);
}

/** Reads a certificate in PEM or in the bare base64 of a metadata document. `problem`: why it cannot be used. */
function certificateOf(text: string, now: Date): { pem: string; problem: string | null } {
  const isPem = text.includes('-----BEGIN');
  try {
    const certificate = new X509Certificate(isPem ? text.trim() : Buffer.from(text, 'base64'));
    return { pem: certificate.toString(), problem: problemOf(certificate, now) };
  } catch {
    return { pem: '', problem: 'This is not an X.509 certificate.' };
  }
}

function problemOf({ publicKey, validTo }: X509Certificate, now: Date): string | null {
  if (Date.parse(validTo) <= now.getTime()) return 'This certificate has expired.';
  const bits = publicKey.asymmetricKeyDetails?.modulusLength;
  const isRsa = publicKey.asymmetricKeyType === 'rsa' && bits !== undefined;
  return isRsa && bits >= KEY_BITS.least && bits <= KEY_BITS.most
    ? null
    : `This certificate needs an RSA key of ${KEY_BITS.least} to ${KEY_BITS.most} bits.`;
}

/** Whether a text is a domain with at least two labels, the last of which begins with a letter (RFC 1123, 2.1). */
function isDomain(text: string): boolean {
  const labels = text.split('.');
  const isLong = text.length >= 4 && text.length <= 253;
  return isLong && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d/.test(labels.at(-1) ?? '');
}
