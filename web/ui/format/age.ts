import { DAY } from '#contract/durations.ts';
import { formatDate } from './date.ts';

/** Returns the whole months between two days, and the remaining days. A month ends on the same day of the month that it started on. */
const monthsAndDays = (from: Date, to: Date): [months: number, days: number] => {
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  if (to.getUTCDate() < from.getUTCDate()) months -= 1;
  const lastDay = (index: number): number => new Date(Date.UTC(from.getUTCFullYear(), index + 1, 0)).getUTCDate();
  const index = from.getUTCMonth() + months;
  const begun = Date.UTC(from.getUTCFullYear(), index, Math.min(from.getUTCDate(), lastDay(index)));
  return [months, Math.round((to.getTime() - begun) / DAY)];
};

/**
 * Returns the age in the bands of the NHS patient banner guidance (table 7): < 4 weeks days, < 1 year weeks and days, < 2 years months and
 * days, < 18 years years and months, then years. A birth date has no time of day, so the bands of minutes and hours cannot
 * occur. `dateOfBirth` and `today` are YYYY-MM-DD; null for a birth date after `today`.
 */
export const age = (dateOfBirth: string, today: string): string | null => {
  const [from, to] = [new Date(dateOfBirth), new Date(today)];
  const days = Math.round((to.getTime() - from.getTime()) / DAY);
  if (days < 0) return null;
  if (days < 28) return `${days}d`;
  const [months, rest] = monthsAndDays(from, to);
  if (months < 12) return `${Math.floor(days / 7)}w${days % 7 ? ` ${days % 7}d` : ''}`;
  if (months < 24) return `${months}m${rest ? ` ${rest}d` : ''}`;
  const years = Math.floor(months / 12);
  return months < 216 ? `${years}y${months % 12 ? ` ${months % 12}m` : ''}` : `${years}y`;
};

/** Returns the user's date, in the time zone of their profile, YYYY-MM-DD. */
export const localDay = (now: Date): string => formatDate(now.toISOString()).replace(/(..)\/(..)\/(.*)/, '$3-$1-$2');
