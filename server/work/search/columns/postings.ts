import { bytesOf, resized, roomFor } from './typed-arrays.ts';

/** Integers of a segment; a block never crosses its end. */
const SEGMENT = 1 << 18;
const SHIFT = 18;
/** Blocks of 4, 8 … 1024 integers: the address of the block before, then rows. */
const FIRST = 2;
const LARGEST = 10;
/** Rows in one block of each size below the largest, together. */
const IN_SMALLER = (1 << LARGEST) - (1 << FIRST) - (LARGEST - FIRST);
/** Up to so many rows one is taken out by looking for it; from longer lists by noting that it is gone. */
const SHORT = 64;

/**
 * For each code the rows that have it, in chained blocks of a common store. A row taken from a long list is noted beside
 * it; once a quarter are, the list is made anew. A row therefore counts as often as it was put minus as often as it was taken.
 */
export class Postings {
  /** How many rows have each code. */
  sizes = new Int32Array(16);
  /** Of a list of one, the row itself; else the address of its last block. */
  #heads = new Int32Array(16);
  #segments: Int32Array[] = [];
  #unused = 0;
  /** Addresses of free blocks by the logarithm of their size. */
  readonly #free: number[][] = Array.from({ length: LARGEST + 1 }, () => []);
  readonly #taken = new Map<number, number[]>();
  /** By row, zero between calls. */
  #net: Uint8Array;

  constructor(capacity: number) {
    this.#net = new Uint8Array(capacity);
  }

  get bytes(): number {
    const blocks = this.#segments.length * SEGMENT * 4;
    const taken = [...this.#taken.values()].reduce((sum, rows) => sum + rows.length * 8, 0);
    return bytesOf([this.sizes, this.#heads, this.#net]) + blocks + taken;
  }

  reserve(capacity: number): void {
    this.#net = resized(this.#net, capacity);
  }

  /** Puts a row that the list does not have. */
  add(code: number, row: number): void {
    if (code >= this.sizes.length) {
      this.sizes = roomFor(this.sizes, code + 1);
      this.#heads = roomFor(this.#heads, code + 1);
    }
    this.#append(code, this.#length(code), row);
    this.sizes[code] = (this.sizes[code] as number) + 1;
  }

  /** Takes a row that the list has. */
  remove(code: number, row: number): void {
    const length = this.#length(code);
    if (length <= SHORT) {
      this.#replaceByLast(code, length, row);
      this.sizes[code] = (this.sizes[code] as number) - 1;
      return;
    }
    const taken = this.#taken.get(code) ?? [];
    if (taken.length === 0) this.#taken.set(code, taken);
    taken.push(row);
    this.sizes[code] = (this.sizes[code] as number) - 1;
    if (taken.length * 4 > length) this.#rebuild(code, length, taken);
  }

  /** Adds `weight` at each of the code's rows. */
  addTo(target: Int32Array, code: number, weight: number): void {
    if (code >= this.sizes.length) return;
    this.#eachBlock(code, this.#length(code), (rows, from, to) => addAt(target, rows, from, to, weight));
    const taken = this.#taken.get(code);
    if (taken) for (const row of taken) target[row] = (target[row] as number) - weight;
  }

  /** Rows that were put since the list was made, those taken later included. */
  #length(code: number): number {
    const size = this.sizes[code] ?? 0;
    return this.#taken.size === 0 ? size : size + (this.#taken.get(code)?.length ?? 0);
  }

  #append(code: number, length: number, row: number): void {
    const heads = this.#heads;
    if (length === 0) {
      heads[code] = row;
      return;
    }
    if (length === 1) {
      const only = heads[code] as number;
      const address = this.#allocate(FIRST);
      const segment = this.#segments[address >>> SHIFT] as Int32Array;
      segment[(address & (SEGMENT - 1)) + 1] = only;
      segment[(address & (SEGMENT - 1)) + 2] = row;
      heads[code] = address;
      return;
    }
    const size = lastBlock(length);
    let used = rowsIn(length, size);
    if (used === (1 << size) - 1) {
      const address = this.#allocate(Math.min(size + 1, LARGEST));
      (this.#segments[address >>> SHIFT] as Int32Array)[address & (SEGMENT - 1)] = heads[code] as number;
      heads[code] = address;
      used = 0;
    }
    const address = heads[code] as number;
    (this.#segments[address >>> SHIFT] as Int32Array)[(address & (SEGMENT - 1)) + 1 + used] = row;
  }

  #replaceByLast(code: number, length: number, row: number): void {
    if (length === 1) return;
    const size = lastBlock(length);
    const used = rowsIn(length, size);
    const head = this.#heads[code] as number;
    const block = this.#segments[head >>> SHIFT] as Int32Array;
    const offset = head & (SEGMENT - 1);
    const last = block[offset + used] as number;
    this.#eachBlock(code, length, (rows, from, to) => {
      for (let at = from; at < to; at += 1) if (rows[at] === row) rows[at] = last;
    });
    if (length === 2) this.#heads[code] = block[offset + 1] as number;
    else if (used === 1) this.#heads[code] = block[offset] as number;
    if (length === 2 || used === 1) (this.#free[size] as number[]).push(head);
  }

  #rebuild(code: number, length: number, taken: readonly number[]): void {
    const net = this.#net;
    const rows = new Int32Array(this.sizes[code] as number);
    this.#eachBlock(code, length, (block, from, to) => countAt(net, block, from, to));
    for (const row of taken) net[row] = (net[row] as number) - 1;
    let count = 0;
    this.#eachBlock(code, length, (block, from, to) => {
      for (let at = from; at < to; at += 1) {
        const row = block[at] as number;
        if (net[row] === 0) continue;
        net[row] = 0;
        rows[count++] = row;
      }
    });
    this.#clear(code, length);
    this.#taken.delete(code);
    for (let at = 0; at < count; at += 1) this.#append(code, at, rows[at] as number);
  }

  #clear(code: number, length: number): void {
    let left = length;
    let address = this.#heads[code] as number;
    while (left > 1) {
      const size = lastBlock(left);
      (this.#free[size] as number[]).push(address);
      left -= rowsIn(left, size);
      address = (this.#segments[address >>> SHIFT] as Int32Array)[address & (SEGMENT - 1)] as number;
    }
  }

  /** Calls with the rows between two places of an array, block by block from the last. */
  #eachBlock(code: number, length: number, visit: (rows: Int32Array, from: number, to: number) => void): void {
    if (length === 0) return;
    if (length === 1) return visit(this.#heads, code, code + 1);
    let address = this.#heads[code] as number;
    for (let left = length; left > 0; ) {
      const used = rowsIn(left, lastBlock(left));
      const segment = this.#segments[address >>> SHIFT] as Int32Array;
      const offset = address & (SEGMENT - 1);
      address = segment[offset] as number;
      visit(segment, offset + 1, offset + 1 + used);
      left -= used;
    }
  }

  #allocate(size: number): number {
    const reused = (this.#free[size] as number[]).pop();
    if (reused !== undefined) return reused;
    if ((this.#unused & (SEGMENT - 1)) + (1 << size) > SEGMENT) this.#unused = this.#segments.length * SEGMENT;
    if (this.#unused >= this.#segments.length * SEGMENT) this.#segments.push(new Int32Array(SEGMENT));
    const address = this.#unused;
    this.#unused += 1 << size;
    return address;
  }
}

/** The logarithm of the last block's size in a list of so many rows. */
function lastBlock(length: number): number {
  if (length > IN_SMALLER) return LARGEST;
  let size = FIRST;
  for (let upTo = (1 << FIRST) - 1; length > upTo; upTo += (1 << size) - 1) size += 1;
  return size;
}

/** How many rows of the list stand in its last block. */
function rowsIn(length: number, size: number): number {
  if (size === LARGEST) return ((length - IN_SMALLER - 1) % ((1 << LARGEST) - 1)) + 1;
  return length - ((1 << size) - (1 << FIRST) - (size - FIRST));
}

function countAt(target: Uint8Array, rows: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    const row = rows[at] as number;
    target[row] = (target[row] as number) + 1;
  }
}

function addAt(target: Int32Array, rows: Int32Array, from: number, to: number, weight: number): void {
  for (let at = from; at < to; at += 1) {
    const row = rows[at] as number;
    target[row] = (target[row] as number) + weight;
  }
}
