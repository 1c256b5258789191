import { hash, verify } from '@node-rs/argon2';

/** The package's `Algorithm.Argon2id`: an ambient const enum, which type stripping cannot read. */
const ARGON2ID = 2;

/** Above OWASP's least for argon2id (19 MiB, two passes): some 25 ms here. A hash carries the parameters that it was made with. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 32_768, timeCost: 3, parallelism: 1 };

/** The same password typed on another keyboard may come in other code points (NIST SP 800-63B, 3.1.1.2). */
const normalise = (password: string): string => password.normalize('NFKC');

/** The argon2id hash to keep, in PHC form. */
export const hashPassword = (password: string): Promise<string> => hash(normalise(password), PARAMETERS);

let nobody: Promise<string> | undefined;

/** Whether the password is the one of the hash. Without a hash it takes as long and says no, so that time does not tell who exists. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword('the password of nobody');
  const matches = await verify(passwordHash ?? (await nobody), normalise(password));
  return matches && passwordHash !== null;
}
