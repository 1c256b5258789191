/** The words of an RTF file (RTF 1.9.1), without its layout. Linear in its length; groups that hold no text for reading are left out. */

/** The characters of Windows-1252 by their code. */
const ANSI: readonly string[] = [
  ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, at) => at)),
];

const DESTINATIONS: ReadonlySet<string> = new Set(
  'fonttbl colortbl stylesheet info pict object header footer listtable listoverridetable rsidtbl generator themedata datastore xmlnstbl'.split(
    ' ',
  ),
);
const BREAKS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  row: '\n',
  sect: '\n\n',
  page: '\n\n',
  tab: '\t',
  cell: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
};
/** Groups inside each other; a deeper one is left out. */
const MOST_DEPTH = 200;
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n\\]/gi;

/** Returns the text of an RTF file, or the first `most` characters or a few more; what comes after is not read. */
export function textOfRtf(rtf: string, most = Number.POSITIVE_INFINITY): string {
  const text: string[] = [];
  const hidden = [false];
  let [depth, unicodeSkip, skip, isFirst, length] = [0, 1, 0, false, 0];
  const add = (piece: string) => {
    if (hidden[Math.min(depth, MOST_DEPTH)] || depth > MOST_DEPTH) return;
    if (skip > 0 && piece.length <= 1) skip -= 1;
    else {
      text.push(skip > 0 ? piece.slice(skip) : piece);
      length += piece.length;
      skip = 0;
    }
  };
  const hide = () => {
    if (depth <= MOST_DEPTH) hidden[depth] = true;
  };
  for (const [, word, value, hex, symbol, brace, plain] of rtf.matchAll(TOKEN)) {
    if (length >= most) break;
    const begins = isFirst;
    isFirst = false;
    if (brace === '{') {
      depth += 1;
      if (depth <= MOST_DEPTH) hidden[depth] = hidden[depth - 1] ?? false;
      isFirst = true;
    } else if (brace === '}') depth = Math.max(0, depth - 1);
    else if (word === 'u' && value !== undefined) {
      add(String.fromCharCode(Number(value) & 0xffff));
      skip = unicodeSkip;
    } else if (word === 'uc') unicodeSkip = Math.min(Number(value ?? 1), 10);
    else if (word !== undefined) {
      if (begins && DESTINATIONS.has(word)) hide();
      else if (Object.hasOwn(BREAKS, word)) add(BREAKS[word] ?? '');
    } else if (hex !== undefined) add(ANSI[Number.parseInt(hex, 16)] ?? '');
    else if (symbol === '*') hide();
    else if (symbol === '~') add(' ');
    else if (symbol !== undefined && /[\\{}]/.test(symbol)) add(symbol);
    else if (plain !== undefined) add(plain);
  }
  return text
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
