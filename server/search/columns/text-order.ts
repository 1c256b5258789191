import type { EncodedText, TextBytes } from './text-bytes.ts';
import { bytesOf, roomFor } from './typed-arrays.ts';

/** New codes are put between the sorted ones one by one up to so many; then all are merged. */
const RECENT = 1024;
const HIGHEST = 0x7fff_ffff;

/**
 * Codes in the order of their texts: a long sorted run, and a short one of those that came lately, so that a new text
 * costs no walk over all. Labels are numbers in the same order, with gaps that newcomers halve.
 */
export class TextOrder {
  /** By code; ascending with the text. Of no use before `arrange`. */
  labels = new Int32Array(0);
  /** Codes that may be given anew: nothing here points to them any more. */
  readonly reusable: number[] = [];
  #sorted = new Int32Array(0);
  #recent: number[] = [];
  #fresh: number[] = [];
  #retired: number[] = [];
  readonly #texts: TextBytes;
  readonly #isLive: (code: number) => boolean;
  readonly #labelled: boolean;

  constructor(texts: TextBytes, labelled: boolean, isLive: (code: number) => boolean) {
    this.#texts = texts;
    this.#labelled = labelled;
    this.#isLive = isLive;
  }

  get bytes(): number {
    return bytesOf([this.labels, this.#sorted]) + 8 * (this.#fresh.length + this.#recent.length);
  }

  add(code: number): void {
    this.#fresh.push(code);
  }

  /** The code's text is gone; once a good part are, they are merged away and become reusable. */
  retire(code: number): void {
    this.#retired.push(code);
    const standing = this.#sorted.length + this.#recent.length + this.#fresh.length;
    if (this.#retired.length > 4 + (standing >> 2)) this.#merge();
  }

  /** Brings every live code into order. Cheap where little came since the last time. */
  arrange(): void {
    if (this.#fresh.length === 0) return;
    if (this.#recent.length + this.#fresh.length > RECENT) return this.#merge();
    const fresh = this.#fresh;
    this.#fresh = [];
    if (this.#labelled) this.labels = roomFor(this.labels, Math.max(...fresh) + 1);
    for (const [index, code] of fresh.entries()) {
      if (!this.#isLive(code) || this.#insert(code)) continue;
      this.#fresh = fresh.slice(index + 1);
      return this.#merge();
    }
  }

  /** Calls with every live code whose text begins so, in the order of the text within each of two runs. */
  eachBeginningWith(prefix: EncodedText, visit: (code: number) => void): void {
    this.arrange();
    for (const run of [this.#sorted, this.#recent]) {
      for (let at = this.#placeIn(run, prefix); at < run.length; at += 1) {
        const code = run[at] as number;
        if (!this.#texts.startsWith(code, prefix)) break;
        if (this.#isLive(code)) visit(code);
      }
    }
  }

  /** False where no label is left between the neighbours' (the code then stands among the recent ones without). */
  #insert(code: number): boolean {
    const { labels } = this;
    const recent = this.#recent;
    const sorted = this.#sorted;
    const place = this.#placeOf(recent, code);
    recent.splice(place, 0, code);
    if (!this.#labelled) return true;
    const among = this.#placeOf(sorted, code);
    const label = (run: ArrayLike<number>, at: number, none: number) => {
      const neighbour = run[at];
      return neighbour === undefined ? none : (labels[neighbour] as number);
    };
    const low = Math.max(label(recent, place - 1, 0), label(sorted, among - 1, 0));
    const high = Math.min(label(recent, place + 1, HIGHEST), label(sorted, among, HIGHEST));
    labels[code] = low + Math.floor((high - low) / 2);
    return high - low >= 2;
  }

  #merge(): void {
    const texts = this.#texts;
    const newcomers = Int32Array.from([...this.#recent, ...this.#fresh].filter(this.#isLive));
    newcomers.sort((a, b) => texts.compare(a, b));
    const old = this.#sorted.filter(this.#isLive);
    const merged = new Int32Array(old.length + newcomers.length);
    let from = 0;
    let fresh = 0;
    for (let at = 0; at < merged.length; at += 1) {
      const takeOld =
        fresh === newcomers.length ||
        (from < old.length && texts.compare(old[from] as number, newcomers[fresh] as number) < 0);
      merged[at] = takeOld ? (old[from++] as number) : (newcomers[fresh++] as number);
    }
    this.#sorted = merged;
    this.#recent = [];
    this.#fresh = [];
    for (const code of this.#retired) this.reusable.push(code);
    this.#retired = [];
    texts.compact(merged);
    if (this.#labelled) this.#label();
  }

  #label(): void {
    const sorted = this.#sorted;
    this.labels = roomFor(this.labels, sorted.reduce((most, code) => Math.max(most, code), 0) + 1);
    const gap = Math.floor(HIGHEST / (sorted.length + 1));
    for (let at = 0; at < sorted.length; at += 1) this.labels[sorted[at] as number] = (at + 1) * gap;
  }

  /** The first place whose text is not before the prefix. */
  #placeIn(run: ArrayLike<number>, prefix: EncodedText): number {
    return firstPlace(run.length, (at) => this.#texts.compareTo(run[at] as number, prefix) < 0);
  }

  #placeOf(run: ArrayLike<number>, code: number): number {
    return firstPlace(run.length, (at) => this.#texts.compare(run[at] as number, code) < 0);
  }
}

/** Binary search: the first of `length` places that is not before. */
function firstPlace(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
