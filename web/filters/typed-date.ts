import { formatDate } from '../ui/format/date.ts';
import type { Typing } from '../ui/use-debounced.ts';

const PATTERNS = [
  /^(?<month>\d{1,2})[/.-](?<day>\d{1,2})[/.-](?<year>\d{4}|\d{2})$/,
  /^(?<month>\d{2})(?<day>\d{2})(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
];

const COMPLETE = /^(\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * Returns a typed date (11/2/1956, 11/2/56, 11021956; month first) as YYYY-MM-DD, or null if it is not a date. A two-digit year
 * belongs to this century up to the year of `today`, otherwise to the last one.
 */
export const readTypedDate = (typed: string, today: Date): string | null => {
  const found = PATTERNS.map((pattern) => pattern.exec(typed.trim())?.groups).find(Boolean);
  if (!found) return null;
  const { year = '', month = '', day = '' } = found;
  const century = Number(year) <= today.getFullYear() % 100 ? '20' : '19';
  const iso = `${year.length === 2 ? century : ''}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso ? null : iso;
};

/** How a date field understands its text: it rewrites a date as MM/DD/YYYY. */
export const TYPED_DATE: Typing = {
  // A two-digit year may be the start of a four-digit one: 11/2/19 is not 2019 while someone types 1956.
  isWhole: (typed) => typed.trim() === '' || COMPLETE.test(typed.trim()),
  written: (typed) => {
    const date = readTypedDate(typed, new Date());
    return date ? formatDate(date) : typed;
  },
};
