import { hash, verify } from '@node-rs/argon2';

/** The package's `Algorithm.Argon2id`, a const enum, which type stripping cannot resolve (docs/decisions/0012). */
const ARGON2ID = 2;

/** Above OWASP's minimum for argon2id (19 MiB, two passes); about 25 ms. A hash carries the parameters that it was made with. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 32_768, timeCost: 3, parallelism: 1 };

/** Another keyboard may send the same password in other code points (NIST SP 800-63B, 3.1.1.2). */
const normalize = (password: string): string => password.normalize('NFKC');

/** Returns the argon2id hash to store, in PHC format. */
export const hashPassword = (password: string): Promise<string> => hash(normalize(password), PARAMETERS);

let dummyHash: Promise<string> | undefined;

/** Returns whether the password fits the hash. Without a hash it takes as long and returns false, so that timing does not reveal who exists. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('a password for no account');
  const matches = await verify(passwordHash ?? (await dummyHash), normalize(password));
  return matches && passwordHash !== null;
}
