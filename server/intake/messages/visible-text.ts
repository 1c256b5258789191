/** What would be unseen, or turn the text around on the screen: controls, format characters (UAX 9 marks), separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A message as people read it: a segment a line; controls as pictures (␛) or, where there is none, as escapes (\u202e). */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (mark) => (mark === '\n' ? mark : shown(mark.codePointAt(0) ?? 0)));
}

/** Unicode has pictures for C0 controls (U+2400 on) and DEL. */
function shown(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : `\\u${code.toString(16).padStart(4, '0')}`;
}
