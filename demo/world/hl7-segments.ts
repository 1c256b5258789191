const ESCAPES: Record<string, string> = { '\\': '\\E\\', '|': '\\F\\', '~': '\\R\\', '^': '\\S\\', '&': '\\T\\' };

/** Escapes the delimiters in a field's text (HL7 v2.5.1, 2.7). */
export const escapeText = (text: string): string =>
  text.replace(/[\\|~^&]/g, (character) => ESCAPES[character] as string);

/** Joins the components of a field, escaped and without empty ones at the end. */
export const components = (...parts: string[]): string => withoutEmptyEnd(parts.map(escapeText)).join('^');

/** Returns the parts up to the last one that isn't empty. */
export const withoutEmptyEnd = (parts: readonly string[]): string[] =>
  parts.slice(0, parts.findLastIndex((part) => part !== '') + 1);

/** Returns a segment from its fields by number. Not for MSH, whose first field is the separator itself. */
export function segment(name: string, fields: Record<number, string>): string {
  const last = Math.max(0, ...Object.entries(fields).map(([number, value]) => (value === '' ? 0 : Number(number))));
  return [name, ...Array.from({ length: last }, (_, index) => fields[index + 1] ?? '')].join('|');
}
