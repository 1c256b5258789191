import { GUESS_KINDS, type Guess, type GuessKind, type GuessList, mostOf } from '#server/record/scoring/guess-keys.ts';

/** Where a record is: in the file, listed by the organization elsewhere, or listed in the last 30 days and no longer. */
export type Whereabouts = 'file' | 'elsewhere' | 'gone';

interface Seen {
  kind: GuessKind;
  isShared: boolean;
  listed: Set<number>;
  gone: Set<number>;
  /** New and changed rows of the file. */
  rows: Set<number>;
}

/** Of how many records a key is rare. */
const mostRareOf = ({ most, mostGone }: GuessKind): number => Math.min(most, mostGone);
const MOST_RARE = Float64Array.from(GUESS_KINDS, mostRareOf);

/** Bytes of the first count for each record; a record has some 110 keys, so that few keys share a byte. */
const BYTES_PER_RECORD = 256;

/**
 * Counts how many different values are tried while the rest stays. Every record is given twice: the first time only a rough count is kept,
 * so that the second time only the few frequent keys take memory, in a file of any size.
 */
export class GuessTally {
  readonly #rough: Uint8Array;
  readonly #seen = new Map<number, Seen>();
  readonly #rows: number;

  /** `records`: about how many there are; `rows`: how many of them are rows of the file. */
  constructor(records: number, rows: number) {
    this.#rough = new Uint8Array(Math.max(4096, records * BYTES_PER_RECORD));
    this.#rows = rows;
  }

  /** Counts the keys of a record roughly. */
  firstOf({ keys, length }: GuessList): void {
    for (let i = 0; i < length; i++) this.first(keys[i] as number);
  }

  first(key: number): void {
    const at = this.#placeOf(key);
    const count = this.#rough[at] ?? 0;
    if (count < 255) this.#rough[at] = count + 1;
  }

  /** Counts the guesses of a record that have frequent keys. `row` as in `second`. */
  secondOf(list: GuessList, where: Whereabouts, row: number | null): void {
    const { keys, kinds, length } = list;
    for (let i = 0; i < length; i++) {
      const count = this.#rough[this.#placeOf(keys[i] as number)] ?? 0;
      if (count > (MOST_RARE[kinds[i] as number] ?? 0)) this.second(list.guessAt(i), where, row);
    }
  }

  /** Whether so many records have the key that their values have to be counted. */
  isFrequent = (key: number, kind: GuessKind): boolean => (this.#rough[this.#placeOf(key)] ?? 0) > mostRareOf(kind);

  /** By the lower 32 bits: a remainder of integers is found much faster. */
  #placeOf = (key: number): number => (key >>> 0) % this.#rough.length;

  /** Counts a guess with a frequent key. `row`: the number of a new or changed row of the file; null for what is not held. */
  second({ kind, key, value, isShared }: Guess, where: Whereabouts, row: number | null): void {
    const seen = this.#seen.get(key) ?? { kind, isShared, listed: new Set(), gone: new Set(), rows: new Set() };
    this.#seen.set(key, seen);
    seen[where === 'gone' ? 'gone' : 'listed'].add(value);
    if (row !== null) seen.rows.add(row);
  }

  /** Counts values whose kind is known only by its hash: it adds to keys that a row of the file has. */
  past(keys: readonly number[], values: readonly number[]): void {
    for (const [index, key] of keys.entries()) this.#seen.get(key)?.gone.add(values[index] ?? 0);
  }

  /** Returns the rows that are guesses: because many values are listed now, or because many were listed and are gone. */
  held(): { alike: Set<number>; changed: Set<number> } {
    const alike = new Set<number>();
    const changed = new Set<number>();
    for (const { kind, isShared, listed, gone, rows } of this.#seen.values()) {
      const others = [...gone].filter((value) => !listed.has(value)).length;
      // The matcher ignores a number that many people share, so a file may list many people under it.
      if (!isShared && listed.size > mostOf(kind, this.#rows)) for (const row of rows) alike.add(row);
      else if (others > mostOf({ ...kind, most: kind.mostGone }, this.#rows)) for (const row of rows) changed.add(row);
    }
    return { alike, changed };
  }
}
