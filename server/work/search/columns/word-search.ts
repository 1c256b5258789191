import type { ColumnStore } from './column-store.ts';
import { FITS, failByFit, orFromParent } from './filter-kernels.ts';
import type { MultiColumns } from './multi-columns.ts';
import { beginsWithinOneTypo, codePoints, FORGIVING } from './typos.ts';

/** The kind of words that forgives a typo. */
const FORGIVING_KIND = 'name';
/** A score has eight bits, and a word gives three at most. */
const MOST_WORDS = 80;

const wordPoints = new Int32Array(65_536);

/** Fails the rows that lack one of the words, and scores the others. Throws RangeError above 80 words. */
export function searchWords(store: ColumnStore, words: readonly string[]): void {
  if (words.length > MOST_WORDS) throw new RangeError(`More than ${MOST_WORDS} words are searched for`);
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

/** By row into `scratch`: how many of its words fit, by how well they do (see `FITS`). */
function findRows(store: ColumnStore, word: string): void {
  store.scratch.fill(0, 0, store.bound);
  for (const kind of store.words.names.keys()) findByPrefix(store, kind, word);
  const kind = store.words.names.indexOf(FORGIVING_KIND);
  if (kind >= 0 && [...word].length >= FORGIVING) findByTypo(store, kind, word);
}

function findByPrefix({ words, scratch }: ColumnStore, kind: number, word: string): void {
  const length = Buffer.byteLength(word);
  words.dictionary.eachBeginningWith(kind, word, (code) =>
    words.lists.addTo(scratch, code, words.dictionary.length(code) === length ? FITS.exact : FITS.prefix),
  );
}

function findByTypo({ words, scratch }: ColumnStore, kind: number, word: string): void {
  for (const code of withTypo(words, kind, word)) words.lists.addTo(scratch, code, FITS.typo);
}

/** The codes of words one typo away from beginning with the word; not those that do begin with it. */
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
