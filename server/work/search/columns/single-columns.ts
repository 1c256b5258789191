import { Dictionary } from './dictionary.ts';
import { bytesOf, type Codes, resized, roomFor, widened } from './typed-arrays.ts';

/** Small columns share 16-bit words. Only this many bits are used, so that a word's histogram fits the processor's cache. */
const WORD_BITS = 14;
/** A column with more bits than this has an array of its own. */
const SMALL_BITS = 6;

/** A single-valued facet: `(column[row] >>> shift) & mask` is the code of its value, 0 for none. */
export type SingleColumn = {
  readonly name: string;
  readonly dictionary: Dictionary;
  column: Codes;
  shift: number;
  mask: number;
  bits: number;
  /** By weighting, then by code: the number of rows. Weighting 0 counts this table's rows, the others count the rows of child tables. */
  totals: Int32Array[];
};

/** Several small columns packed into one array, counted by one histogram. */
export type Word = { column: Uint16Array; bits: number; singles: SingleColumn[] };

/** The single-valued facets of a table. */
export class SingleColumns {
  readonly all: SingleColumn[];
  words: Word[] = [];
  #capacity: number;

  constructor(names: readonly string[], capacity: number) {
    this.#capacity = capacity;
    this.all = names.map((name) => ({
      name,
      dictionary: new Dictionary({ labelled: true }),
      column: new Uint16Array(0),
      shift: 0,
      mask: 0,
      bits: 2,
      totals: [new Int32Array(16)],
    }));
    this.#pack(0);
  }

  get bytes(): number {
    const columns = new Set(this.all.map(({ column }) => column));
    const rest = this.all.reduce((sum, single) => sum + single.dictionary.bytes + bytesOf(single.totals), 0);
    return bytesOf([...columns]) + rest;
  }

  reserve(capacity: number): void {
    this.#capacity = capacity;
    for (const word of this.words) {
      word.column = resized(word.column, capacity);
      for (const single of word.singles) single.column = word.column;
    }
    for (const single of this.all) if (single.bits > SMALL_BITS) single.column = resized(single.column, capacity);
  }

  addWeighting(): void {
    for (const { totals } of this.all) totals.push(new Int32Array((totals[0] as Int32Array).length));
  }

  /** Writes a row's values; null clears them. `rows`: the number of rows, including this one. */
  put(row: number, values: Record<string, string | null> | null, rows: number): void {
    for (const single of this.all) {
      const value = values?.[single.name] ?? null;
      const old = codeAt(single, row);
      const code = value === null ? 0 : single.dictionary.intern(0, value);
      if (code === old) continue;
      if (code !== 0) this.#makeRoom(single, code, rows);
      const { column, mask, shift } = single;
      column[row] = ((column[row] as number) & ~(mask << shift)) | (code << shift);
      const totals = single.totals[0] as Int32Array;
      totals[code] = (totals[code] as number) + 1;
      totals[old] = (totals[old] as number) - 1;
      if (old !== 0 && totals[old] === 0) single.dictionary.release(old);
    }
  }

  /** Adds a row `weight` times to the totals of a weighting other than 0. */
  tally(row: number, weighting: number, weight: number): void {
    for (const single of this.all) {
      const totals = single.totals[weighting] as Int32Array;
      const code = codeAt(single, row);
      totals[code] = (totals[code] as number) + weight;
    }
  }

  #makeRoom(single: SingleColumn, code: number, rows: number): void {
    if (code >= (single.totals[0] as Int32Array).length)
      single.totals = single.totals.map((each) => roomFor(each, code + 1));
    if (code <= single.mask) return;
    const wasSmall = single.bits <= SMALL_BITS;
    while (code >= 2 ** single.bits) single.bits += 1;
    if (wasSmall) this.#pack(rows);
    else {
      single.column = widened(single.column);
      single.mask = 0x7fff_ffff;
    }
  }

  /** Repacks all columns: the large ones first, then each small one into the first word with room. */
  #pack(rows: number): void {
    this.words = [];
    for (const single of this.all.toSorted((a, b) => b.bits - a.bits)) {
      if (single.bits > SMALL_BITS) {
        if (single.mask < 0xffff) move(single, new Uint16Array(this.#capacity), 0, 0xffff, rows);
        continue;
      }
      let word = this.words.find(({ bits }) => bits + single.bits <= WORD_BITS);
      if (!word) this.words.push((word = { column: new Uint16Array(this.#capacity), bits: 0, singles: [] }));
      move(single, word.column, word.bits, 2 ** single.bits - 1, rows);
      word.bits += single.bits;
      word.singles.push(single);
    }
  }
}

/** Returns a row's code in a column. */
export const codeAt = (single: SingleColumn, row: number): number =>
  ((single.column[row] as number) >>> single.shift) & single.mask;

function move(single: SingleColumn, column: Uint16Array, shift: number, mask: number, rows: number): void {
  for (let row = 0; row < rows; row += 1) column[row] = (column[row] as number) | (codeAt(single, row) << shift);
  single.column = column;
  single.shift = shift;
  single.mask = mask;
}
