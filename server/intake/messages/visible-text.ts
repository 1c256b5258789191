/** Characters that are invisible or reorder the text on screen: controls, format characters (such as the marks of UAX 9), separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a message for display, one segment per line. Controls become control pictures (␛) or, if Unicode has none, escapes (\u202e). */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE, (mark) => (mark === '\n' ? mark : shown(mark.codePointAt(0) ?? 0)));
}

/** Unicode has control pictures for C0 (from U+2400) and DEL. */
function shown(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Bytes of JSON that is indented. More would hold the thread up. */
const LONGEST_INDENTED = 256 * 1024;

/** Returns JSON with each value on a line; as it was sent if it is too long. */
export function indentedJson(json: Buffer): string {
  const text = json.toString('utf8');
  if (json.length > LONGEST_INDENTED) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}
