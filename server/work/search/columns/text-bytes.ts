import { bytesOf, roomFor } from './typed-arrays.ts';

const LONGEST = 65_535;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** 32-bit FNV-1a. `mixed` improves the distribution of its lower bits. */
const SEED = 0x811c_9dc5 | 0;
const PRIME = 0x0100_0193;

/** A text as bytes: the kind's number, then UTF-8, which sorts by code point (COLLATE "C"). */
export class EncodedText {
  bytes = new Uint8Array(256);
  length = 0;
  hash = 0;

  /** Throws RangeError if the text has more than 65,534 bytes. */
  encode(kind: number, text: string): this {
    if (text.length * 3 >= this.bytes.length) this.bytes = new Uint8Array(text.length * 3 + 256);
    const { bytes } = this;
    const length = text.length + 1;
    let hash = Math.imul(SEED ^ kind, PRIME);
    bytes[0] = kind;
    for (let at = 1; at < length; at += 1) {
      const unit = text.charCodeAt(at - 1);
      if (unit > 127) return this.#encodeBeyondAscii(text);
      bytes[at] = unit;
      hash = Math.imul(hash ^ unit, PRIME);
    }
    return this.#end(length, mixed(hash));
  }

  #encodeBeyondAscii(text: string): this {
    const { bytes } = this;
    const length = 1 + encoder.encodeInto(text, bytes.subarray(1)).written;
    return this.#end(length, hashOf(bytes, 0, length));
  }

  #end(length: number, hash: number): this {
    if (length > LONGEST) throw new RangeError('A value is longer than 65,534 bytes');
    this.length = length;
    this.hash = hash;
    return this;
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = SEED;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), PRIME);
  return mixed(hash);
}

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return half ^ (half >>> 13);
}

/** A text's length is stored in the two bytes before it. */
const BEFORE = 2;

/** Texts by code, with their bytes in one array, because a million strings would be a million objects for the garbage collector. */
export class TextBytes {
  bytes = new Uint8Array(1024);
  /** Two entries per code: the start of its text, and its hash. */
  #places = new Int32Array(32);
  #used = 0;
  #garbage = 0;

  get memory(): number {
    return bytesOf([this.bytes, this.#places]);
  }

  set(code: number, { bytes, length, hash }: EncodedText): void {
    this.#places = roomFor(this.#places, 2 * code + 2);
    this.bytes = roomFor(this.bytes, this.#used + BEFORE + length);
    const target = this.bytes;
    const start = this.#used + BEFORE;
    target[start - 2] = length;
    target[start - 1] = length >>> 8;
    for (let at = 0; at < length; at += 1) target[start + at] = bytes[at] as number;
    this.#places[2 * code] = start;
    this.#places[2 * code + 1] = hash;
    this.#used = start + length;
  }

  /** Marks the code's bytes as garbage. */
  drop(code: number): void {
    this.#garbage += BEFORE + this.#lengthAt(this.start(code));
  }

  start(code: number): number {
    return this.#places[2 * code] as number;
  }

  hash(code: number): number {
    return this.#places[2 * code + 1] as number;
  }

  length(code: number): number {
    return this.#lengthAt(this.start(code));
  }

  text(code: number): string {
    const start = this.start(code);
    return decoder.decode(this.bytes.subarray(start + 1, start + this.#lengthAt(start)));
  }

  equals(code: number, { bytes, length, hash }: EncodedText): boolean {
    if (this.hash(code) !== hash) return false;
    const start = this.start(code);
    return this.#lengthAt(start) === length && this.#shared(start, bytes, 0, length) === length;
  }

  startsWith(code: number, { bytes, length }: EncodedText): boolean {
    const start = this.start(code);
    return this.#lengthAt(start) >= length && this.#shared(start, bytes, 0, length) === length;
  }

  /** Returns a negative number if the code's text sorts before the other. */
  compareTo(code: number, { bytes, length }: EncodedText): number {
    return this.#compare(this.start(code), bytes, 0, length);
  }

  compare(code: number, other: number): number {
    const start = this.start(other);
    return this.#compare(this.start(code), this.bytes, start, this.#lengthAt(start));
  }

  #lengthAt(start: number): number {
    return (this.bytes[start - 2] as number) | ((this.bytes[start - 1] as number) << 8);
  }

  #compare(from: number, bytes: Uint8Array, start: number, length: number): number {
    const own = this.#lengthAt(from);
    const shared = this.#shared(from, bytes, start, Math.min(own, length));
    if (shared === own || shared === length) return own - length;
    return (this.bytes[from + shared] as number) - (bytes[start + shared] as number);
  }

  /** Returns the length of the common prefix, at most `most`. */
  #shared(from: number, bytes: Uint8Array, start: number, most: number): number {
    const own = this.bytes;
    let at = 0;
    while (at < most && own[from + at] === bytes[start + at]) at += 1;
    return at;
  }

  /** Keeps only the bytes of these codes, if at least a third of the bytes is garbage. */
  compact(codes: readonly ArrayLike<number>[]): void {
    if (this.#garbage * 3 < this.#used) return;
    const old = this.bytes;
    const kept = new Uint8Array(this.#used - this.#garbage + 1024);
    let used = 0;
    for (const some of codes)
      for (let each = 0; each < some.length; each += 1) {
        const code = some[each] as number;
        const from = this.start(code) - BEFORE;
        const to = from + BEFORE + this.length(code);
        this.#places[2 * code] = used + BEFORE;
        for (let at = from; at < to; at += 1) kept[used++] = old[at] as number;
      }
    this.bytes = kept;
    this.#used = used;
    this.#garbage = 0;
  }
}
