// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what this is about.
/** What would be unseen, or turn the text around on the screen: C1 controls, and marks of direction (Unicode, UAX 9). */
const UNSEEN = /[\u0080-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A message as people read it: a segment a line; controls as pictures (␛) or, where there is none, as escapes (\u202e). */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0009\u000b-\u001f]/g, (control) => String.fromCodePoint(0x2400 + control.charCodeAt(0)))
    .replaceAll('\u007f', '\u2421')
    .replace(UNSEEN, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
