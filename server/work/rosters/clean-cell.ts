/** Cleans the text of a cell, and says what was invisible in it. */

/** Apart from printable ASCII; '?' counts too, because it is what a program writes for a letter that it could not keep. */
const NOTABLE = /[^ ->@-~]/;
/** Control characters that are no white space, and format characters: no reader sees them, and PostgreSQL can't store the zero byte. */
const HIDDEN = /(?![\t-\r])[\p{Cc}\p{Cf}]/gu;
/** A spreadsheet's text formula, by which exports keep leading zeros: ="000123" is 000123. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;

/** Whether a cell has characters to look at: hidden ones, or ones that another encoding may have left. */
export const isNotable = (cell: string): boolean => NOTABLE.test(cell);

const BLANK = 0x20;
const APOSTROPHE = 0x27;
const EQUALS_SIGN = 0x3d;
const QUESTION_MARK = 0x3f;

/**
 * Whether `clean` has nothing to do, and the cell is neither notable nor in need of decoding: printable ASCII without '?', with single blanks inside, and no
 * apostrophe or equals sign before it. So are nearly all cells, and looking at their characters takes a tenth of what the expressions take.
 */
export function isClean(cell: string): boolean {
  let before = BLANK;
  for (let at = 0; at < cell.length; at += 1) {
    const code = cell.charCodeAt(at);
    if (code < BLANK || code > 0x7e || code === QUESTION_MARK || (code === BLANK && before === BLANK)) return false;
    if (at === 0 && (code === APOSTROPHE || code === EQUALS_SIGN)) return false;
    before = code;
  }
  return cell === '' || before !== BLANK;
}

/**
 * Removes hidden characters, replaces runs of blanks with one, and returns the text inside a text formula. Removes an apostrophe before a
 * digit or formula character, with which spreadsheets and exports (ours too) mark a cell as text.
 */
export const clean = (cell: string): string => cleanWith(cell, '');

/** The same with a visible sign where a hidden character was. */
export const marked = (cell: string): string => cleanWith(cell, '\ufffd');

function cleanWith(cell: string, hidden: string): string {
  const visible = isNotable(cell) ? cell.replace(HIDDEN, hidden) : cell;
  const text = visible.replace(/[\s\p{Zs}]+/gu, ' ').trim();
  return (text.startsWith('="') ? withoutFormula(text) : text).replace(/^'(?=[\d=+\-@])/, '');
}

const withoutFormula = (text: string): string => (TEXT_FORMULA.exec(text)?.[1] ?? text).replaceAll('""', '"').trim();

const NAMES: Record<string, string> = {
  '0': 'null character',
  '7': 'bell',
  '1b': 'escape',
  ad: 'soft hyphen',
  '200b': 'zero-width space',
  '200c': 'zero-width non-joiner',
  '200d': 'zero-width joiner',
  '200e': 'left-to-right mark',
  '200f': 'right-to-left mark',
  '202a': 'left-to-right embedding',
  '202b': 'right-to-left embedding',
  '202c': 'end of a change of direction',
  '202d': 'left-to-right override',
  '202e': 'right-to-left override',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first-strong isolate',
  '2069': 'end of a change of direction',
  feff: 'byte order mark',
};

/** More of them are not named. */
const MOST_NAMED = 3;

/**
 * Returns what `clean` removes, each once: "zero-width space (U+200B)". Without U+0080 to U+009F, which no one types: they are letters of
 * another encoding (`garbled.ts`).
 */
export function hiddenIn(cell: string): string[] {
  const found = new Set((cell.match(HIDDEN) ?? []).filter((character) => !/[\u0080-\u009f]/.test(character)));
  return [...found].slice(0, MOST_NAMED).map((character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    const name = NAMES[code] ?? (/\p{Cc}/u.test(character) ? 'control character' : 'invisible character');
    return `${name} (U+${code.toUpperCase().padStart(4, '0')})`;
  });
}
