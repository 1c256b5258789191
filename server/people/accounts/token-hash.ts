import { createHash, randomBytes } from 'node:crypto';

/** A secret of 256 bits for a cookie: 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What stands of a secret, or of a name, on the server: SHA-256. The secrets are random, so nothing slower is needed. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
