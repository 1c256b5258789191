import { USER_TEXTS } from '#contract/admin-fields.ts';

/** A person's name as the identity provider has it; null for a part that it does not send. */
export interface PersonName {
  firstName: string | null;
  lastName: string | null;
}

export const personName = (first: unknown, last: unknown): PersonName => ({
  firstName: cleaned(first, USER_TEXTS.firstName.max),
  lastName: cleaned(last, USER_TEXTS.lastName.max),
});

/** Control characters, and those that turn the direction of the text around them. */
const UNWANTED = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Returns a text that is safe to show in a line: without control characters, and cut to `most` characters. */
function cleaned(text: unknown, most: number): string | null {
  if (typeof text !== 'string') return null;
  const line = text.normalize('NFC').replaceAll(UNWANTED, ' ').replaceAll(/\s+/g, ' ').trim();
  // A cut may leave half of a character that has two code units.
  return (
    line
      .slice(0, most)
      .replace(/[\ud800-\udbff]$/, '')
      .trim() || null
  );
}
