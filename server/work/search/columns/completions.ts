import type { Counts } from './counting.ts';
import type { Dictionary } from './dictionary.ts';
import type { ValueCount } from './types.ts';
import { beginsWithinOneTypo, FORGIVING } from './typos.ts';

/** Cache of folded values, by text because codes are reused. */
const folded = new WeakMap<Dictionary, Map<string, Int32Array[]>>();
const MOST_KEPT = 100_000;

/** Returns the words of a text in lower case without accents, as code points. */
function wordsOf(text: string): Int32Array[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    Int32Array.from(word, (letter) => letter.codePointAt(0) as number),
  );
}

function foldedWords(dictionary: Dictionary, value: string): Int32Array[] {
  const known = folded.get(dictionary) ?? new Map<string, Int32Array[]>();
  folded.set(dictionary, known);
  const words = known.get(value) ?? wordsOf(value);
  if (known.size > MOST_KEPT) known.clear();
  known.set(value, words);
  return words;
}

/** Returns how well a word matches: 3 the same, 2 a prefix, 1 a prefix with a typo, 0 no match. */
function fit(query: Int32Array, word: Int32Array): number {
  const shared = query.findIndex((point, at) => point !== word[at]);
  if (shared === -1) return query.length === word.length ? 3 : 2;
  return query.length >= FORGIVING && beginsWithinOneTypo(query, query.length, word, word.length) ? 1 : 0;
}

/** Returns the sum over the query's words, or 0 if one of them does not match. */
function score(query: readonly Int32Array[], words: readonly Int32Array[]): number {
  let sum = 0;
  for (const each of query) {
    const best = words.reduce((most, word) => Math.max(most, fit(each, word)), 0);
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

/** Returns the counted values that match typed text, as `Table.values` describes. */
export function completions({ dictionary, kind, counts }: Counts, text: string, limit: number): ValueCount[] {
  const query = wordsOf(text);
  const labels = dictionary.labels();
  const found: { code: number; score: number; count: number }[] = [];
  for (let code = 1; code < counts.length; code += 1) {
    const count = counts[code] as number;
    if (count <= 0 || dictionary.kinds[code] !== kind + 1) continue;
    const points = query.length === 0 ? 1 : score(query, foldedWords(dictionary, dictionary.text(code)));
    if (points > 0) found.push({ code, score: points, count });
  }
  found.sort(
    (a, b) => b.score - a.score || b.count - a.count || (labels[a.code] as number) - (labels[b.code] as number),
  );
  return found.slice(0, limit).map(({ code, count }) => ({ value: dictionary.text(code), count }));
}
