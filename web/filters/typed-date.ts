import { formatDate } from '../ui/format/date.ts';
import type { Typing } from '../ui/use-debounced.ts';

const PATTERNS = [
  /^(?<month>\d{1,2})[/.-](?<day>\d{1,2})[/.-](?<year>\d{4}|\d{2})$/,
  /^(?<month>\d{2})(?<day>\d{2})(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
];

const WHOLE = /^(\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * A date as people type it (11/2/1956, 11/2/56, 11021956) as YYYY-MM-DD; null where it is none. Month comes before day. Two digits
 * of a year are of this century up to `today`'s year, and of the last one beyond it.
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

/** A field for a date: what is typed is written out as MM/DD/YYYY. */
export const TYPED_DATE: Typing = {
  // A year of two digits may be the beginning of one of four: 11/2/19 is not 2019 while 1956 is being typed.
  isWhole: (typed) => typed.trim() === '' || WHOLE.test(typed.trim()),
  written: (typed) => {
    const date = readTypedDate(typed, new Date());
    return date ? formatDate(date) : typed;
  },
};
