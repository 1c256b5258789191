/** Most names are ASCII and need no folding. */
const BEYOND_ASCII = /[^ -~]/;

/** Returns the text in upper case without accents (NFKD). Letters that do not decompose are replaced (Ø by O, Æ by AE). */
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
