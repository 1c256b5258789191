import type { ColumnStore } from './column-store.ts';
import { FITS, failByFit, orFromParent } from './filter-kernels.ts';
import type { MultiColumns } from './multi-columns.ts';
import { beginsWithinOneTypo, codePoints, FORGIVING } from './typos.ts';

/** The kind of words that forgives a typo. */
const FORGIVING_KIND = 'name';
/** A score has eight bits, and a word adds at most three. */
export const MOST_WORDS = 80;

const wordPoints = new Int32Array(65_536);

/** Fails the rows that don't match all words, and scores the others. Throws RangeError above 80 words. */
export function searchWords(store: ColumnStore, words: readonly string[]): void {
  if (words.length > MOST_WORDS) throw new RangeError(`A search has more than ${MOST_WORDS} words`);
  store.scores.fill(0, 0, store.bound);
  for (const word of words) {
    if (word === '') continue;
    findRows(store, word);
    if (store.parent) {
      findRows(store.parent, word);
      orFromParent(store.scratch, store.bound, store.parent.scratch, store.parentRows);
    }
    failByFit(store.rowStates, store.scores, store.bound, store.scratch);
  }
}

/** Writes into `scratch`, by row, how many of its words match and how well (see `FITS`). */
function findRows(store: ColumnStore, word: string): void {
  store.scratch.fill(0, 0, store.bound);
  for (const kind of store.words.names.keys()) findByPrefix(store, kind, word);
  const kind = store.words.names.indexOf(FORGIVING_KIND);
  if (kind >= 0 && [...word].length >= FORGIVING) findByTypo(store, kind, word);
}

function findByPrefix({ words, scratch }: ColumnStore, kind: number, word: string): void {
  const length = Buffer.byteLength(word);
  words.dictionary.eachBeginningWith(kind, word, (code) =>
    words.postings.addTo(scratch, code, words.dictionary.length(code) === length ? FITS.exact : FITS.prefix),
  );
}

function findByTypo({ words, scratch }: ColumnStore, kind: number, word: string): void {
  for (const code of withTypo(words, kind, word)) words.postings.addTo(scratch, code, FITS.typo);
}

/** Returns the codes of words that start with the word after one typo, without those that start with the word itself. */
function withTypo({ dictionary }: MultiColumns, kind: number, word: string): number[] {
  const query = Int32Array.from(word, (letter) => letter.codePointAt(0) as number);
  const codes: number[] = [];
  dictionary.eachBeginningWith(kind, '', (code) => {
    const { bytes, from, to } = dictionary.place(code);
    const length = codePoints(wordPoints, bytes, from, to);
    if (!beginsWithinOneTypo(query, query.length, wordPoints, length)) return;
    if (length < query.length || query.some((point, at) => point !== wordPoints[at])) codes.push(code);
  });
  return codes;
}
