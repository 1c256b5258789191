/** MSH-1 and MSH-2: the characters that separate the parts of a message (HL7 v2.5.1, 2.5.4). */

/** Each is one character, or '' if the message doesn't have this delimiter. */
export interface Delimiters {
  field: string;
  component: string;
  repetition: string;
  escape: string;
  subcomponent: string;
}

export const STANDARD_DELIMITERS: Delimiters = {
  field: '|',
  component: '^',
  repetition: '~',
  escape: '\\',
  subcomponent: '&',
};

const ORDER = ['component', 'repetition', 'escape', 'subcomponent'] as const;
const PUNCTUATION = /^[!-/:-@[-`{-~]$/;

/** Returns whether a character can separate fields: printable ASCII, neither letter nor digit. */
export function isDelimiter(character: string): boolean {
  return PUNCTUATION.test(character);
}

/**
 * Returns the delimiters of a message that begins with `MSH`. Letters, repeated characters and missing ones are replaced by the standard
 * delimiters. Null if MSH-1 can't separate fields, which makes the message unreadable.
 */
export function readDelimiters(header: string): Delimiters | null {
  const field = header.charAt(3);
  if (!isDelimiter(field)) return null;
  const end = header.indexOf(field, 4);
  const written = repaired(header.slice(4, end < 0 ? 9 : Math.min(end, 9)).split(/[\r\n]/, 1)[0] ?? '');
  const delimiters: Delimiters = { field, component: '', repetition: '', escape: '', subcomponent: '' };
  const used = new Set(field);
  for (const [index, name] of ORDER.entries()) {
    const choice = [written.charAt(index), STANDARD_DELIMITERS[name]].find((c) => isDelimiter(c) && !used.has(c));
    if (choice === undefined) continue;
    delimiters[name] = choice;
    used.add(choice);
  }
  return delimiters;
}

/** Repairs two common mistakes: a backslash doubled by the sender's source code, and a missing repetition separator. */
function repaired(written: string): string {
  const single = written.replace('\\\\', '\\');
  return /^.\\&?$/.test(single) ? `${single.charAt(0)}~${single.slice(1)}` : single;
}

/** Returns MSH-2. */
export function encodingCharacters(delimiters: Delimiters): string {
  return delimiters.component + delimiters.repetition + delimiters.escape + delimiters.subcomponent;
}
