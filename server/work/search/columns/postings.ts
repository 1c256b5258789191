import { bytesOf, resized, roomFor } from './typed-arrays.ts';

/** Integers in a segment. A block never crosses its end. */
const SEGMENT = 1 << 18;
const SHIFT = 18;
/** Blocks have 4, 8 … 1024 integers: the address of the previous block, then rows. */
const FIRST = 2;
const LARGEST = 10;
/** Rows that fit one block of each size below the largest. */
const IN_SMALLER = (1 << LARGEST) - (1 << FIRST) - (LARGEST - FIRST);
/** Up to this length, a list is searched for the row to remove. Longer lists only record the removal. */
const SHORT = 64;

/**
 * Posting lists: for each code, the rows that have it, in chained blocks of a shared buffer. A row removed from a long list is recorded
 * beside the list, which is rebuilt once a quarter of it is removed. A row therefore counts as often as it was added minus as often as it was removed.
 */
export class Postings {
  /** By code: how many rows have it. */
  sizes = new Int32Array(16);
  /** By code: the row itself for a list of one, else the address of the last block. */
  #heads = new Int32Array(16);
  #segments: Int32Array[] = [];
  #unused = 0;
  /** Addresses of free blocks by the logarithm of their size. */
  readonly #free: number[][] = Array.from({ length: LARGEST + 1 }, () => []);
  readonly #removed = new Map<number, number[]>();
  /** By row, zero between calls. */
  #net: Uint8Array;

  constructor(capacity: number) {
    this.#net = new Uint8Array(capacity);
  }

  get bytes(): number {
    const blocks = this.#segments.length * SEGMENT * 4;
    const removed = [...this.#removed.values()].reduce((sum, rows) => sum + rows.length * 8, 0);
    return bytesOf([this.sizes, this.#heads, this.#net]) + blocks + removed;
  }

  reserve(capacity: number): void {
    this.#net = resized(this.#net, capacity);
  }

  /** Adds a row that the list does not have. */
  add(code: number, row: number): void {
    if (code >= this.sizes.length) {
      this.sizes = roomFor(this.sizes, code + 1);
      this.#heads = roomFor(this.#heads, code + 1);
    }
    this.#append(code, this.#length(code), row);
    this.sizes[code] = (this.sizes[code] as number) + 1;
  }

  /** Removes a row that the list has. */
  remove(code: number, row: number): void {
    const length = this.#length(code);
    if (length <= SHORT) {
      this.#replaceByLast(code, length, row);
      this.sizes[code] = (this.sizes[code] as number) - 1;
      return;
    }
    const removed = this.#removed.get(code) ?? [];
    if (removed.length === 0) this.#removed.set(code, removed);
    removed.push(row);
    this.sizes[code] = (this.sizes[code] as number) - 1;
    if (removed.length * 4 > length) this.#rebuild(code, length, removed);
  }

  /** Adds `weight` to the target at each of the code's rows. */
  addTo(target: Int32Array, code: number, weight: number): void {
    if (code >= this.sizes.length) return;
    this.#eachBlock(code, this.#length(code), (rows, from, to) => addAt(target, rows, from, to, weight));
    const removed = this.#removed.get(code);
    if (removed) for (const row of removed) target[row] = (target[row] as number) - weight;
  }

  /** Returns the number of rows in the blocks, including rows that were removed later. */
  #length(code: number): number {
    const size = this.sizes[code] ?? 0;
    return this.#removed.size === 0 ? size : size + (this.#removed.get(code)?.length ?? 0);
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

  #rebuild(code: number, length: number, removed: readonly number[]): void {
    const net = this.#net;
    const rows = new Int32Array(this.sizes[code] as number);
    this.#eachBlock(code, length, (block, from, to) => countAt(net, block, from, to));
    for (const row of removed) net[row] = (net[row] as number) - 1;
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
    this.#removed.delete(code);
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

  /** Visits the blocks from the last to the first, each as a span of an array. */
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

/** Returns the logarithm of the last block's size in a list of this length. */
function lastBlock(length: number): number {
  if (length > IN_SMALLER) return LARGEST;
  let size = FIRST;
  for (let upTo = (1 << FIRST) - 1; length > upTo; upTo += (1 << size) - 1) size += 1;
  return size;
}

/** Returns how many rows of the list are in its last block. */
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
