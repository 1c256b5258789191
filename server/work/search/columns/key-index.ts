import { bytesOf, resized } from './typed-arrays.ts';

/** Finds the row with a key: an open-addressing hash table over the rows' keys, 8 to 16 bytes per row in addition to the key. */
export class KeyIndex {
  /** By row: its key. */
  keys: Float64Array;
  /** Row + 1, or 0 for a free slot. */
  #slots = new Int32Array(16);
  #size = 0;

  constructor(capacity: number) {
    this.keys = new Float64Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return bytesOf([this.keys, this.#slots]);
  }

  reserve(capacity: number): void {
    this.keys = resized(this.keys, capacity);
  }

  /** Returns the row with this key, or -1. */
  find(key: number): number {
    const { keys } = this;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash(key) & mask; ; slot = (slot + 1) & mask) {
      const row = (slots[slot] as number) - 1;
      if (row < 0 || keys[row] === key) return row;
    }
  }

  /** Assigns a row a key that no other row has. */
  add(key: number, row: number): void {
    this.keys[row] = key;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    this.#insert(key, row);
  }

  delete(key: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hole = hash(key) & mask;
    while (this.keys[(slots[hole] as number) - 1] !== key) hole = (hole + 1) & mask;
    // Entries behind the hole move into it, unless that would put them before their home slot.
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = hash(this.keys[(slots[slot] as number) - 1] as number) & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[hole] = slots[slot] as number;
      hole = slot;
    }
    slots[hole] = 0;
    this.#size -= 1;
  }

  #insert(key: number, row: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash(key) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = row + 1;
  }

  #rehash(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (const entry of old) if (entry !== 0) this.#insert(this.keys[entry - 1] as number, entry - 1);
  }
}

function hash(key: number): number {
  let mixed = Math.imul((key | 0) ^ Math.imul((key / 0x1_0000_0000) | 0, 0x9e37_79b1), 0x85eb_ca6b);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0xc2b2_ae35);
  return mixed ^ (mixed >>> 13);
}
