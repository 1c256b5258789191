import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where the keys are. `isOurs`: the file is in our data folder and is created if it is missing. */
export type SecretKeySource = Readonly<{ text: string } | { file: string; isOurs: boolean }>;

type Keys = readonly [Buffer, ...Buffer[]];

/** The file with the keys cannot be used. The message is for the operator and has no key in it. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError';
}

const BYTES = 32;

/** Reads keys of 32 bytes in base64, separated by commas or white space; null if anything else is among them, or no key at all. */
export function parseSecretKeys(text: string): Keys | null {
  const given = text.split(/[\s,]+/).filter((part) => part !== '');
  const keys = given.map((part) => Buffer.from(part, 'base64'));
  const isWhole = keys.every((key, index) => key.length === BYTES && key.toString('base64') === given[index]);
  const [first, ...others] = keys;
  return first !== undefined && isWhole ? [first, ...others] : null;
}

/** Returns the keys, the one that encrypts first. Throws SecretKeyError if the file is missing, unreadable, or holds something else. */
export function readSecretKeys(source: SecretKeySource): Keys {
  const keys = parseSecretKeys('text' in source ? source.text : readOrCreate(source));
  if (keys !== null) return keys;
  const where = 'text' in source ? 'TIDINGS_SECRET_KEY' : source.file;
  throw new SecretKeyError(`${where} must hold keys of ${BYTES} bytes in base64: openssl rand -base64 ${BYTES}`);
}

function readOrCreate({ file, isOurs }: { file: string; isOurs: boolean }): string {
  if (isOurs && !existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  }
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SecretKeyError(`The key file ${file} cannot be read (${(error as { code?: string }).code})`);
  }
}
