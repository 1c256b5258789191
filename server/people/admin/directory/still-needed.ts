import { ApiError } from '#server/platform/http/api-error.ts';

/** '1 person is in it', '1,200 people are in it'; null for none. */
export const counted = (count: number, one: string, several: string): string | null =>
  count === 0 ? null : count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${several}`;

/** Throws STILL_NEEDED with the reasons that are not null, if there are any. */
export function refuseIfNeeded(what: 'team' | 'group' | 'role', reasons: readonly (string | null)[]): void {
  const remaining = reasons.filter((reason) => reason !== null);
  if (remaining.length === 0) return;
  throw new ApiError('STILL_NEEDED', { message: `This ${what} is still in use: ${remaining.join('; ')}.` });
}
