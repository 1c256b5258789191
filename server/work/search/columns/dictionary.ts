import { EncodedText, TextBytes } from './text-bytes.ts';
import { TextOrder } from './text-order.ts';
import { bytesOf, roomFor } from './typed-arrays.ts';

const encoded = new EncodedText();

/**
 * Dictionary encoding for texts of one or more kinds. Codes start at 1; 0 means no text. Released codes are reused. The texts are bytes in
 * one array with an open-addressing hash table over them.
 */
export class Dictionary {
  /** By code: its kind + 1, or 0 if the code is unused. */
  kinds = new Uint8Array(16);
  readonly #texts = new TextBytes();
  readonly #order: TextOrder;
  #slots = new Int32Array(32);
  #size = 0;
  #bound = 1;
  /** Cache of decoded texts: values in answers are decoded once. */
  #decoded: (string | undefined)[] = [];

  /** `labelled`: keep order labels, which compare texts as integers. */
  constructor({ labelled }: { labelled: boolean }) {
    this.#order = new TextOrder(this.#texts, labelled, (code) => this.kinds[code] !== 0);
  }

  /** All codes are below this number. */
  get bound(): number {
    return this.#bound;
  }

  /** The number of texts. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return bytesOf([this.kinds, this.#slots]) + this.#texts.memory + this.#order.bytes;
  }

  /** Returns order labels by code, ascending by kind and text. Valid until the next `intern`. */
  labels(): Int32Array {
    this.#order.arrange();
    return this.#order.labels;
  }

  /** Returns the text's code, adding the text if it is new. Throws RangeError above 65,534 bytes. */
  intern(kind: number, text: string): number {
    const known = this.find(kind, text);
    return known === 0 ? this.#add(kind) : known;
  }

  /** Returns the text's code, or 0. */
  find(kind: number, text: string): number {
    encoded.encode(kind, text);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = encoded.hash & mask; ; slot = (slot + 1) & mask) {
      const code = slots[slot] as number;
      if (code === 0 || this.#texts.equals(code, encoded)) return code;
    }
  }

  release(code: number): void {
    this.#unlink(code);
    this.kinds[code] = 0;
    this.#decoded[code] = undefined;
    this.#size -= 1;
    this.#texts.drop(code);
    this.#order.retire(code);
  }

  text(code: number): string {
    return (this.#decoded[code] ??= this.#texts.text(code));
  }

  /** Returns where the text's bytes are, without copying them. Valid until the next change. */
  place(code: number): { bytes: Uint8Array; from: number; to: number } {
    const start = this.#texts.start(code);
    return { bytes: this.#texts.bytes, from: start + 1, to: start + this.#texts.length(code) };
  }

  length(code: number): number {
    return this.#texts.length(code) - 1;
  }

  /** Visits each code of the kind whose text starts with the prefix. */
  eachBeginningWith(kind: number, prefix: string, visit: (code: number) => void): void {
    this.#order.eachBeginningWith(new EncodedText().encode(kind, prefix), visit);
  }

  #add(kind: number): number {
    const code = this.#order.reusable.pop() ?? this.#bound++;
    this.#texts.set(code, encoded);
    this.#size += 1;
    if (this.#size * 3 > this.#slots.length * 2) this.#rehash();
    this.#link(code, encoded.hash);
    this.kinds = roomFor(this.kinds, code + 1);
    this.kinds[code] = kind + 1;
    this.#order.add(code);
    return code;
  }

  #link(code: number, hash: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = code;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const { kinds } = this;
    for (let code = 1; code < kinds.length; code += 1) if (kinds[code] !== 0) this.#link(code, this.#texts.hash(code));
  }

  #unlink(code: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hole = this.#texts.hash(code) & mask;
    while (slots[hole] !== code) hole = (hole + 1) & mask;
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.#texts.hash(slots[slot] as number) & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[hole] = slots[slot] as number;
      hole = slot;
    }
    slots[hole] = 0;
  }
}
