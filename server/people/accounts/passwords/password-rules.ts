/** Rules for a new password beyond its length, which the contract checks. */
import { ApiError } from '#server/platform/http/api-error.ts';
import { isCommonPassword } from './common-passwords.ts';

/** A shorter name before the '@', such as 'al', is part of too many ordinary words. */
const SHORTEST_NAME = 4;

/** Throws PASSWORD_TOO_COMMON or PASSWORD_HOLDS_USERNAME. */
export function refuseWeakPassword(password: string, username: string): void {
  if (isCommonPassword(password)) throw new ApiError('PASSWORD_TOO_COMMON');
  const folded = password.normalize('NFKC').toLowerCase();
  const [name = ''] = username.split('@');
  if (folded.includes(username) || (name.length >= SHORTEST_NAME && folded.includes(name)))
    throw new ApiError('PASSWORD_HOLDS_USERNAME');
}
