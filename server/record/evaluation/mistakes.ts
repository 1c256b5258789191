/** The slips of people who type. */
import type { Random } from './random.ts';

const KEYBOARD = ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM'];

/** Returns a key beside the letter. */
function neighbor(random: Random, letter: string): string {
  const row = KEYBOARD.find((keys) => keys.includes(letter)) ?? 'AEIOU';
  const at = row.indexOf(letter) + (random.chance(0.5) ? 1 : -1);
  return row[at] ?? row[1] ?? 'E';
}

/** Returns the text with a letter replaced, left out, doubled or inserted, or two neighbors swapped. */
export function withTypo(random: Random, text: string): string {
  if (text.length < 2) return text;
  const at = random.below(text.length - 1);
  const letter = text[at] ?? '';
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  const kind = random.next();
  if (kind < 0.35) return before + neighbor(random, letter) + after;
  if (kind < 0.6) return before + after;
  if (kind < 0.75) return before + letter + letter + after;
  if (kind < 0.85) return before + letter + neighbor(random, letter) + after;
  return before + (after[0] ?? '') + letter + after.slice(1);
}

/** Returns the digits with one of them replaced by another. */
export function withDigitOff(random: Random, digits: string): string {
  const places = [...digits.matchAll(/\d/g)].map(({ index }) => index);
  const at = random.pick(places);
  const other = (Number(digits[at]) + random.between(1, 9)) % 10;
  return digits.slice(0, at) + String(other) + digits.slice(at + 1);
}

const isDate = (date: string): boolean =>
  !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().slice(0, 10) === date && date <= '2026-01-01';

/** Returns the date with one digit off, and a valid date before 2026. */
export function withBirthDigitOff(random: Random, date: string): string {
  for (let attempt = 0; attempt < 20; attempt++) {
    // The century is hardly ever mistyped.
    const wrong = date.slice(0, 2) + withDigitOff(random, date.slice(2));
    if (isDate(wrong)) return wrong;
  }
  return date;
}

/** Returns the date with day and month swapped, or the same date if that is not one. */
export function withDayMonthSwapped(date: string): string {
  const swapped = `${date.slice(0, 4)}-${date.slice(8)}-${date.slice(5, 7)}`;
  return isDate(swapped) ? swapped : date;
}
