const ESCAPES: Record<string, string> = { '\\': '\\E\\', '|': '\\F\\', '~': '\\R\\', '^': '\\S\\', '&': '\\T\\' };

/** Text as it may stand in a field (HL7 v2.5.1, 2.7). */
export const escapeText = (text: string): string =>
  text.replace(/[\\|~^&]/g, (character) => ESCAPES[character] as string);

/** Components of one field, escaped, without empty ones at the end. */
export const components = (...parts: string[]): string => parts.map(escapeText).join('^').replace(/\^+$/, '');

/** A segment from its fields by number; MSH, whose first field is its separator, is not made so. */
export function segment(name: string, fields: Record<number, string>): string {
  const last = Math.max(0, ...Object.entries(fields).map(([number, value]) => (value === '' ? 0 : Number(number))));
  return [name, ...Array.from({ length: last }, (_, index) => fields[index + 1] ?? '')].join('|');
}
