import { createHash, randomBytes } from 'node:crypto';

/** Returns a new secret of 256 random bits, 43 characters, for a cookie or a link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Returns the SHA-256 that the database stores instead of a secret. The secrets are random, so a slow hash would add nothing. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
