import { bytesOf, roomFor } from './typed-arrays.ts';

const LONGEST = 65_535;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A text as bytes: the kind's number, then UTF-8, whose order is that of the code points (COLLATE "C"). */
export class EncodedText {
  bytes = new Uint8Array(256);
  length = 0;
  hash = 0;

  /** Throws RangeError where the text has more than 65,534 bytes. */
  encode(kind: number, text: string): this {
    if (text.length * 3 >= this.bytes.length) this.bytes = new Uint8Array(text.length * 3 + 256);
    const { bytes } = this;
    let length = text.length + 1;
    bytes[0] = kind;
    for (let at = 1; at < length; at += 1) {
      const unit = text.charCodeAt(at - 1);
      if (unit > 127) {
        length = 1 + encoder.encodeInto(text, bytes.subarray(1)).written;
        break;
      }
      bytes[at] = unit;
    }
    if (length > LONGEST) throw new RangeError('A value is longer than 65,534 bytes');
    this.length = length;
    this.hash = hashOf(bytes, 0, length);
    return this;
  }
}

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x0100_0193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b_3c6d);
  return hash ^ (hash >>> 13);
}

/** Texts by a small number each, their bytes one after the other: a million of them are no million objects. */
export class TextBytes {
  bytes = new Uint8Array(1024);
  starts = new Int32Array(16);
  lengths = new Uint16Array(16);
  #used = 0;
  #garbage = 0;

  get memory(): number {
    return bytesOf([this.bytes, this.starts, this.lengths]);
  }

  set(code: number, { bytes, length }: EncodedText): void {
    this.starts = roomFor(this.starts, code + 1);
    this.lengths = roomFor(this.lengths, code + 1);
    this.bytes = roomFor(this.bytes, this.#used + length);
    const target = this.bytes;
    const start = this.#used;
    for (let at = 0; at < length; at += 1) target[start + at] = bytes[at] as number;
    this.starts[code] = start;
    this.lengths[code] = length;
    this.#used += length;
  }

  /** The code's bytes are no longer needed, once nothing looks for it. */
  drop(code: number): void {
    this.#garbage += this.lengths[code] as number;
  }

  kind(code: number): number {
    return this.bytes[this.starts[code] as number] as number;
  }

  text(code: number): string {
    const start = this.starts[code] as number;
    return decoder.decode(this.bytes.subarray(start + 1, start + (this.lengths[code] as number)));
  }

  hash(code: number): number {
    const start = this.starts[code] as number;
    return hashOf(this.bytes, start, start + (this.lengths[code] as number));
  }

  equals(code: number, { bytes, length }: EncodedText): boolean {
    return this.lengths[code] === length && this.#shared(code, bytes, 0, length) === length;
  }

  startsWith(code: number, { bytes, length }: EncodedText): boolean {
    return (this.lengths[code] as number) >= length && this.#shared(code, bytes, 0, length) === length;
  }

  /** Negative where the code's text stands before the other. */
  compareTo(code: number, { bytes, length }: EncodedText): number {
    return this.#compare(code, bytes, 0, length);
  }

  compare(code: number, other: number): number {
    return this.#compare(code, this.bytes, this.starts[other] as number, this.lengths[other] as number);
  }

  #compare(code: number, bytes: Uint8Array, start: number, length: number): number {
    const own = this.lengths[code] as number;
    const shared = this.#shared(code, bytes, start, Math.min(own, length));
    if (shared === own || shared === length) return own - length;
    return (this.bytes[(this.starts[code] as number) + shared] as number) - (bytes[start + shared] as number);
  }

  /** How many bytes from the beginning are the same, at most `most`. */
  #shared(code: number, bytes: Uint8Array, start: number, most: number): number {
    const own = this.bytes;
    const from = this.starts[code] as number;
    let at = 0;
    while (at < most && own[from + at] === bytes[start + at]) at += 1;
    return at;
  }

  /** Keeps the bytes of these codes alone, where a good part is of dropped ones. */
  compact(codes: Int32Array): void {
    if (this.#garbage * 3 < this.#used) return;
    const old = this.bytes;
    this.bytes = new Uint8Array(this.#used - this.#garbage + 1024);
    this.#used = 0;
    this.#garbage = 0;
    for (const code of codes) {
      const start = this.starts[code] as number;
      const length = this.lengths[code] as number;
      for (let at = 0; at < length; at += 1) this.bytes[this.#used + at] = old[start + at] as number;
      this.starts[code] = this.#used;
      this.#used += length;
    }
  }
}
