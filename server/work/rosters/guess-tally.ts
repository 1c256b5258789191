import { GUESS_KINDS, type Guess, type GuessKind, type GuessList, mostOf } from '#server/record/scoring/guess-keys.ts';

/** Where a record is: in the file, listed by the organization elsewhere, or listed in the last 30 days and no longer. */
export type Whereabouts = 'file' | 'elsewhere' | 'gone';

interface Seen {
  kind: GuessKind;
  isShared: boolean;
  listed: Set<number> | null;
  gone: Set<number> | null;
}

/** Why rows with a key are held: many values are listed now, or many were listed and are gone. */
export type Held = 'alike' | 'changed';

/** Of how many records a key is rare. */
const mostRareOf = ({ most, mostGone }: GuessKind): number => Math.min(most, mostGone);
const MOST_RARE = Float64Array.from(GUESS_KINDS, mostRareOf);

/** Values of a number that an office has: of so many patients, none of another number can be missed. */
const MOST_OF_SHARED = 100_000;

/** Bytes of the first count for each record; a record has some 110 keys, so that few keys share a byte. */
const BYTES_PER_RECORD = 256;
const MOST_ROUGH = 255;
/** Keys that may be counted exactly: those of a thousand records, unless their names have dozens of parts. What is seen of them takes some 60 MB. */
const MOST_EXACT = 200_000;
/** Bytes for each key that is counted exactly. */
const BYTES_PER_KEY = 64;

/**
 * Counts how many different values are tried while the rest stays. Every record is given three times: first only a rough count is kept, so
 * that the second time only the few frequent keys take memory, in a file of any size; the third time each row is asked about. Of a key no
 * more values are kept than settle whether it is held, so that a file in which all rows are alike takes no more.
 */
export class GuessTally {
  readonly #rough: Uint8Array;
  /** Only these keys are counted, each exactly. Null: those that are frequent by the rough count. */
  readonly #exact: Set<number> | null;
  readonly #seen = new Map<number, Seen>();
  readonly #held = new Map<number, Held>();
  readonly #rows: number;

  /**
   * `records`: about how many there are; `rows`: how many of them are rows of the file; `isExact`: so few can be held that only they are given first, and
   * all their keys are counted.
   */
  constructor({ records, rows, isExact = false }: { records: number; rows: number; isExact?: boolean }) {
    this.#rough = new Uint8Array(isExact ? MOST_EXACT * BYTES_PER_KEY : Math.max(4096, records * BYTES_PER_RECORD));
    this.#exact = isExact ? new Set() : null;
    this.#rows = rows;
  }

  /** There are too many keys to count each of them: start again without `isExact`. */
  get isFull(): boolean {
    return this.#exact !== null && this.#exact.size > MOST_EXACT;
  }

  /** Counts the keys of a record roughly. */
  firstOf({ keys, length }: GuessList): void {
    for (let i = 0; i < length; i++) this.first(keys[i] as number);
  }

  first(key: number): void {
    const at = this.#placeOf(key);
    const count = this.#rough[at] ?? 0;
    if (this.#exact === null) this.#rough[at] = Math.min(MOST_ROUGH, count + 1);
    else if (!this.isFull) {
      this.#rough[at] = MOST_ROUGH;
      this.#exact.add(key);
    }
  }

  /** Counts the guesses of a record that have frequent keys. */
  secondOf(list: GuessList, where: Whereabouts): void {
    const { keys, kinds, length } = list;
    for (let i = 0; i < length; i++) {
      const key = keys[i] as number;
      if (this.#isAbove(key, MOST_RARE[kinds[i] as number] ?? 0)) this.second(list.guessAt(i), where);
    }
  }

  /** Whether so many records have the key that their values have to be counted. */
  isFrequent = (key: number, kind: GuessKind): boolean => this.#isAbove(key, mostRareOf(kind));

  #isAbove(key: number, most: number): boolean {
    return (this.#rough[this.#placeOf(key)] ?? 0) > most && (this.#exact === null || this.#exact.has(key));
  }

  /** By the lower 32 bits: a remainder of integers is found much faster. */
  #placeOf = (key: number): number => (key >>> 0) % this.#rough.length;

  /** Counts a guess with a frequent key. */
  second({ kind, key, value, isShared }: Guess, where: Whereabouts): void {
    const seen = this.#seen.get(key) ?? { kind, isShared, listed: null, gone: null };
    this.#seen.set(key, seen);
    this.#keep(seen, where === 'gone' ? 'gone' : 'listed', value);
  }

  /** Counts values whose kind is known only by its hash: it adds to keys that a row of the file has. */
  past(keys: readonly number[], values: readonly number[]): void {
    for (const [index, key] of keys.entries()) {
      const seen = this.#seen.get(key);
      if (seen) this.#keep(seen, 'gone', values[index] ?? 0);
    }
  }

  #keep(seen: Seen, which: 'listed' | 'gone', value: number): void {
    const values = (seen[which] ??= new Set());
    if (values.size < this.#mostKept(seen)) values.add(value);
  }

  #mostListed = ({ kind }: Seen): number => mostOf(kind, this.#rows);
  #mostGone = ({ kind }: Seen): number => mostOf({ ...kind, most: kind.mostGone }, this.#rows);

  /** With more values than may be listed and be gone together, one of the two is exceeded. Which of a shared number's values are gone has to be exact. */
  #mostKept = (seen: Seen): number =>
    seen.isShared ? MOST_OF_SHARED : this.#mostListed(seen) + this.#mostGone(seen) + 2;

  /** Settles which keys are guessed, once everything was counted. Returns whether there are any. */
  settle(): boolean {
    for (const [key, seen] of this.#seen) {
      const { isShared, listed, gone } = seen;
      const others = [...(gone ?? [])].filter((value) => !listed?.has(value)).length;
      // The matcher ignores a number that many people share, so a file may list many people under it.
      if (!isShared && (listed?.size ?? 0) > this.#mostListed(seen)) this.#held.set(key, 'alike');
      else if (others > this.#mostGone(seen)) this.#held.set(key, 'changed');
    }
    this.#seen.clear();
    return this.#held.size > 0;
  }

  /** Returns why a row with these guesses is held, or null. */
  heldOf({ keys, length }: Pick<GuessList, 'keys' | 'length'>, ...more: readonly number[]): Held | null {
    let held: Held | null = null;
    const look = (key: number): void => {
      if (held !== 'alike') held = this.#held.get(key) ?? held;
    };
    for (let i = 0; i < length; i++) look(keys[i] as number);
    for (const key of more) look(key);
    return held;
  }
}
