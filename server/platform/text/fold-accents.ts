/** Most names are plain ASCII and need no folding. */
const BEYOND_ASCII = /[^ -~]/;

/** Returns the text in upper case without accents (NFKD); letters that do not decompose are spelled out (Ø as O, Æ as AE). */
export function foldAccents(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toUpperCase();
  return text
    .normalize('NFKD')
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/Ø/g, 'O')
    .replace(/Ł/g, 'L')
    .replace(/[ĐÐ]/g, 'D')
    .replace(/Æ/g, 'AE')
    .replace(/Œ/g, 'OE')
    .replace(/Þ/g, 'TH');
}
