import { Dictionary } from './dictionary.ts';
import { Postings } from './postings.ts';
import { bytesOf, type Codes, resized, roomFor, widened } from './typed-arrays.ts';

/**
 * Several multi-valued columns: each row has one run of codes in a heap, those of the first column first, and each code has the posting list
 * of its rows. A run that grows moves to the end of the heap; the gap it leaves is reclaimed later.
 */
export class MultiColumns {
  readonly names: readonly string[];
  readonly dictionary: Dictionary;
  readonly postings: Postings;
  heap: Codes = new Uint16Array(1024);
  starts: Int32Array;
  /** By column, then by row: where the column's part of the run ends, relative to the start of the run. */
  ends: Uint16Array[];
  /** By weighting from 1 on, then by code: the number of rows of a child table. */
  #weighted: Int32Array[] = [];
  #used = 0;
  #live = 0;
  #next = new Int32Array(64);
  #marks = new Uint8Array(64);

  constructor(names: readonly string[], capacity: number, { labelled }: { labelled: boolean }) {
    this.names = names;
    this.dictionary = new Dictionary({ labelled });
    this.postings = new Postings(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = names.map(() => new Uint16Array(capacity));
  }

  get bytes(): number {
    const own = [this.heap, this.starts, ...this.ends, ...this.#weighted, this.#marks];
    return bytesOf(own) + this.dictionary.bytes + this.postings.bytes;
  }

  /** Returns the number of rows by code. Weighting 0 counts this table's rows. */
  totals(weighting: number): Int32Array {
    return weighting === 0 ? this.postings.sizes : (this.#weighted[weighting - 1] as Int32Array);
  }

  reserve(capacity: number): void {
    this.starts = resized(this.starts, capacity);
    this.ends = this.ends.map((each) => resized(each, capacity));
    this.postings.reserve(capacity);
  }

  addWeighting(): void {
    this.#weighted.push(new Int32Array(this.dictionary.bound));
  }

  /** Returns the length of a row's run. */
  length(row: number): number {
    return this.ends.at(-1)?.[row] ?? 0;
  }

  /** Returns the values that a row can hold, the same object if it has at most `most`. Of more, each column gets its share: the first ones. */
  fitting(values: Record<string, readonly string[]>, most: number): Record<string, readonly string[]> {
    const lengthOf = (name: string): number => values[name]?.length ?? 0;
    let left = most;
    for (const name of this.names) left -= lengthOf(name);
    if (left >= 0) return values;
    left = most;
    return Object.fromEntries(
      this.names.map((name, at) => {
        const kept = values[name]?.slice(0, Math.floor(left / (this.names.length - at))) ?? NO_VALUES;
        left -= kept.length;
        return [name, kept];
      }),
    );
  }

  /** Writes a row's values, each counted once; null clears them. `rows`: the number of rows, including this one. */
  put(row: number, values: Record<string, readonly string[]> | null, rows: number): void {
    if (this.names.length === 0) return;
    const start = this.starts[row] as number;
    const old = this.length(row);
    for (let at = start; at < start + old; at += 1) this.#marks[this.heap[at] as number] = OLD;
    const count = this.#intern(row, values);
    for (let at = start; at < start + old; at += 1) {
      const code = this.heap[at] as number;
      if (this.#marks[code] === OLD) this.#removeFrom(code, row);
      this.#marks[code] = NONE;
    }
    for (let at = 0; at < count; at += 1) this.#marks[this.#next[at] as number] = NONE;
    this.#write(row, old, count, rows);
  }

  /** Adds a row `weight` times to the totals of a weighting other than 0. */
  tally(row: number, weighting: number, weight: number): void {
    const totals = roomFor(this.#weighted[weighting - 1] as Int32Array, this.dictionary.bound);
    this.#weighted[weighting - 1] = totals;
    const start = this.starts[row] as number;
    for (let at = start; at < start + this.length(row); at += 1) {
      const code = this.heap[at] as number;
      totals[code] = (totals[code] as number) + weight;
    }
  }

  /** Writes the codes of the row's new values into `#next` and their ends by column, and adds the row to posting postings that lack it. */
  #intern(row: number, values: Record<string, readonly string[]> | null): number {
    let count = 0;
    for (let kind = 0; kind < this.names.length; kind += 1) {
      const own = values?.[this.names[kind] as string] ?? NO_VALUES;
      for (let at = 0; at < own.length; at += 1) {
        const code = this.dictionary.intern(kind, own[at] as string);
        this.#marks = roomFor(this.#marks, code + 1);
        const mark = this.#marks[code];
        if (mark === KEPT) continue;
        if (mark === NONE) this.postings.add(code, row);
        this.#marks[code] = KEPT;
        this.#next = roomFor(this.#next, count + 1);
        this.#next[count++] = code;
      }
      (this.ends[kind] as Uint16Array)[row] = count;
    }
    return count;
  }

  #removeFrom(code: number, row: number): void {
    this.postings.remove(code, row);
    if (this.postings.sizes[code] === 0) this.dictionary.release(code);
  }

  #write(row: number, old: number, count: number, rows: number): void {
    if (this.dictionary.bound > 0x1_0000) this.heap = widened(this.heap);
    this.#live += count - old;
    if (count > old) {
      if (this.#used + count > this.heap.length) this.#makeRoom(row, count, rows);
      this.starts[row] = this.#used;
      this.#used += count;
    }
    const start = this.starts[row] as number;
    for (let at = 0; at < count; at += 1) this.heap[start + at] = this.#next[at] as number;
  }

  /** Makes room for one more run: grows the heap, or compacts all runs but that of `row` if much of the heap is gaps. */
  #makeRoom(row: number, count: number, rows: number): void {
    const old = this.heap;
    if (this.#live * 1.2 > this.#used) {
      this.heap = roomFor(old, this.#used + count);
      return;
    }
    const length = Math.max(this.#live + count, Math.ceil(this.#live * 1.2)) + 1024;
    const heap = old instanceof Uint16Array ? new Uint16Array(length) : new Uint32Array(length);
    let used = 0;
    for (let each = 0; each < rows; each += 1) {
      if (each === row) continue;
      const start = this.starts[each] as number;
      const length = this.length(each);
      for (let at = 0; at < length; at += 1) heap[used + at] = old[start + at] as number;
      this.starts[each] = used;
      used += length;
    }
    this.heap = heap;
    this.#used = used;
  }
}

const NO_VALUES: readonly string[] = [];
const NONE = 0;
const OLD = 1;
const KEPT = 2;
