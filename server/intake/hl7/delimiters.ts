/**
 * MSH-1 and MSH-2: the characters that a message is divided by (HL7 v2.5.1, 2.5.4).
 */

/** Each is one character; a delimiter that the message does not have is ''. */
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

/** Whether a character may divide fields: printable, and neither letter nor digit. */
export function isDelimiter(character: string): boolean {
  return PUNCTUATION.test(character);
}

/**
 * The delimiters of a message that begins with `MSH`. Letters, characters used twice and missing ones give way to the
 * standard ones; null where MSH-1 is no delimiter, so that nothing can be read.
 */
export function readDelimiters(header: string): Delimiters | null {
  const field = header.charAt(3);
  if (!isDelimiter(field)) return null;
  const end = header.indexOf(field, 4);
  const written = repaired(header.slice(4, end < 0 ? 9 : Math.min(end, 9)).replace(/[\r\n].*$/s, ''));
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

/** Two slips that senders make: the backslash doubled by some source code, and the repetition character left out. */
function repaired(written: string): string {
  const single = written.replace('\\\\', '\\');
  return /^.\\&?$/.test(single) ? `${single.charAt(0)}~${single.slice(1)}` : single;
}

/** The delimiters as MSH-2 has them. */
export function encodingCharacters(delimiters: Delimiters): string {
  return delimiters.component + delimiters.repetition + delimiters.escape + delimiters.subcomponent;
}
