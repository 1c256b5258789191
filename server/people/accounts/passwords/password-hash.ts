import { hash, verify } from '@node-rs/argon2';
import { Turns } from '#server/platform/database/turns.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** The package's `Algorithm.Argon2id`, a const enum, which type stripping cannot resolve (docs/decisions/0012). */
const ARGON2ID = 2;

/** Above OWASP's minimum for argon2id (19 MiB, two passes); about 25 ms. A hash carries the parameters that it was made with. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 32_768, timeCost: 3, parallelism: 1 };

/** Hashes that are computed at the same time: half of Node's threads, which also read files and resolve names. */
const turns = new Turns({ most: 2, waiting: 200, patience: 10_000 });

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const end = await turns.take('');
  if (end === null) throw new ApiError('BUSY');
  return work().finally(end);
}

/** Another keyboard may send the same password in other code points (NIST SP 800-63B, 3.1.1.2). */
const normalize = (password: string): string => password.normalize('NFKC');

/** Returns the argon2id hash to store, in PHC format. Throws BUSY if too many wait to be computed. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normalize(password), PARAMETERS));

let dummyHash: Promise<string> | undefined;

/**
 * Returns whether the password fits the hash. Without a hash it takes as long and returns false, so that timing does not reveal who
 * exists. Throws BUSY if too many wait to be compared.
 */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hash('a password for no account', PARAMETERS);
  const stored = passwordHash ?? (await dummyHash);
  const matches = await inTurn(() => verify(stored, normalize(password)));
  return matches && passwordHash !== null;
}
