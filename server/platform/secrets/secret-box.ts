/** Encryption of secrets that the server has to read again, such as the secret of an authenticator app (docs/decisions/0033). */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
/** In bytes; both are the recommended sizes of GCM (NIST SP 800-38D). */
const IV = 12;
const TAG = 16;

export interface SecretBox {
  /** Returns the encrypted text. `place` names column and row, e.g. 'users.mfa_secret 12': the text opens only there. */
  seal(secret: string, place: string): string;
  /** Returns the secret. Throws if the text was encrypted for another place or under a key that is not known, was altered, or is not encrypted. */
  open(sealed: string, place: string): string;
  /** What every text begins with that was encrypted under the first key. */
  readonly prefix: string;
  /** Returns 32 bytes in base64url for one purpose, always the same under the same first key. */
  derive(purpose: string): string;
}

/** A stored secret cannot be decrypted. The message names the place and the key's id, never a value. */
export class SealedSecretError extends Error {
  override name = 'SealedSecretError';
}

/** Tells which key a text was encrypted under, without saying anything about the key. */
const idOf = (key: Buffer): string => createHash('sha256').update('id of key ').update(key).digest('hex').slice(0, 8);

/** Encrypts with AES-256-GCM under the first key; the others only decrypt. Each key has 32 bytes. */
export function secretBox(keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const [first] = keys;
  const known = new Map(keys.map((key) => [idOf(key), key]));
  const prefix = `${VERSION}.${idOf(first)}.`;
  return {
    prefix,
    seal(secret, place) {
      const iv = randomBytes(IV);
      const cipher = createCipheriv('aes-256-gcm', first, iv).setAAD(Buffer.from(place));
      const encrypted = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return prefix + encrypted.toString('base64url');
    },
    open(sealed, place) {
      const [version, id = '', text = ''] = sealed.split('.');
      if (version !== VERSION) throw new SealedSecretError(`${place} is not encrypted`);
      const key = known.get(id);
      if (key === undefined)
        throw new SealedSecretError(`${place} was encrypted under the key ${id}, which is not set`);
      const bytes = Buffer.from(text, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), { authTagLength: TAG });
        decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG));
        return Buffer.concat([decipher.update(bytes.subarray(IV, -TAG)), decipher.final()]).toString('utf8');
      } catch {
        throw new SealedSecretError(`${place} was altered, or encrypted for another row`);
      }
    },
    derive: (purpose) => Buffer.from(hkdfSync('sha256', first, '', purpose, 32)).toString('base64url'),
  };
}
