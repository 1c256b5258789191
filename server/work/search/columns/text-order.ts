import type { EncodedText, TextBytes } from './text-bytes.ts';
import { bytesOf, roomFor } from './typed-arrays.ts';

/** Up to this many new codes are inserted one by one between the sorted ones; more become a run. */
const RECENT = 1024;
/** This many new codes are sorted as they arrive, a few milliseconds of work, so that no query has to wait for a whole load to be sorted. */
const SLICE = 1 << 14;
/** While rows are added, runs are merged up to this length. */
const LONGEST = 1 << 16;
const HIGHEST = 0x7fff_ffff;

/**
 * Codes in the order of their texts: sorted runs, and a short run of recent codes, so that a new text does not cost a pass over all.
 * Labels are integers in the same order, with gaps that new codes halve; labels require a single run.
 */
export class TextOrder {
  /** By code; ascending with the text. Valid after `arrange`. */
  labels = new Int32Array(0);
  /** Codes that may be reused: nothing here refers to them any more. */
  readonly reusable: number[] = [];
  #runs: Int32Array[] = [];
  #recent: number[] = [];
  #fresh: number[] = [];
  #retired: number[] = [];
  #size = 0;
  /** A run was added since labels were assigned. */
  #lacksLabels = false;
  readonly #texts: TextBytes;
  readonly #isLive: (code: number) => boolean;
  readonly #labelled: boolean;

  constructor(texts: TextBytes, labelled: boolean, isLive: (code: number) => boolean) {
    this.#texts = texts;
    this.#labelled = labelled;
    this.#isLive = isLive;
  }

  get bytes(): number {
    return bytesOf([this.labels, ...this.#runs]) + 8 * (this.#fresh.length + this.#recent.length);
  }

  add(code: number): void {
    this.#size += 1;
    if (this.#fresh.push(code) >= SLICE) this.#addRun();
  }

  /** Marks a code as unused. Once more than a quarter are, they are swept and become reusable. */
  retire(code: number): void {
    this.#retired.push(code);
    if (this.#retired.length > 4 + (this.#size >> 2)) this.#sweep();
  }

  /** Brings all live codes into order. Cheap if few codes were added since the last call. */
  arrange(): void {
    if (this.#lacksLabels || this.#recent.length + this.#fresh.length > RECENT) this.#addRun();
    if (this.#lacksLabels) return this.#label();
    const fresh = this.#fresh;
    this.#fresh = [];
    if (this.#labelled) this.labels = roomFor(this.labels, Math.max(0, ...fresh) + 1);
    for (const [index, code] of fresh.entries()) {
      if (!this.#isLive(code) || this.#insert(code)) continue;
      this.#fresh = fresh.slice(index + 1);
      this.#addRun();
      return this.#label();
    }
  }

  /** Visits every live code whose text has the prefix, in text order within each run. */
  eachBeginningWith(prefix: EncodedText, visit: (code: number) => void): void {
    this.arrange();
    for (const run of [...this.#runs, this.#recent]) {
      for (let at = this.#placeIn(run, prefix); at < run.length; at += 1) {
        const code = run[at] as number;
        if (!this.#texts.startsWith(code, prefix)) break;
        if (this.#isLive(code)) visit(code);
      }
    }
  }

  /** Inserts a code among the recent ones. Returns false if no label is free between its neighbors. */
  #insert(code: number): boolean {
    const { labels } = this;
    const recent = this.#recent;
    const place = this.#placeOf(recent, code);
    recent.splice(place, 0, code);
    if (!this.#labelled) return true;
    const sorted = this.#runs[0] ?? [];
    const among = this.#placeOf(sorted, code);
    const label = (run: ArrayLike<number>, at: number, none: number) => {
      const neighbor = run[at];
      return neighbor === undefined ? none : (labels[neighbor] as number);
    };
    const low = Math.max(label(recent, place - 1, 0), label(sorted, among - 1, 0));
    const high = Math.min(label(recent, place + 1, HIGHEST), label(sorted, among, HIGHEST));
    labels[code] = low + Math.floor((high - low) / 2);
    return high - low >= 2;
  }

  /** Makes a run of all codes outside a run, and merges it with runs of similar length. */
  #addRun(): void {
    const texts = this.#texts;
    let run = Int32Array.from([...this.#recent, ...this.#fresh].filter(this.#isLive));
    run.sort((a, b) => texts.compare(a, b));
    this.#recent = [];
    this.#fresh = [];
    for (let last = this.#runs.at(-1); last; last = this.#runs.at(-1)) {
      if (last.length > run.length * 2 || last.length + run.length > LONGEST) break;
      run = this.#merge(last, run);
      this.#runs.pop();
    }
    this.#runs.push(run);
    this.#lacksLabels = this.#labelled;
  }

  #merge(one: Int32Array, other: Int32Array): Int32Array<ArrayBuffer> {
    const texts = this.#texts;
    const merged = new Int32Array(one.length + other.length);
    let [first, second] = [0, 0];
    for (let at = 0; at < merged.length; at += 1) {
      const takesFirst =
        second === other.length ||
        (first < one.length && texts.compare(one[first] as number, other[second] as number) < 0);
      merged[at] = takesFirst ? (one[first++] as number) : (other[second++] as number);
    }
    return merged;
  }

  /** Removes the retired codes. */
  #sweep(): void {
    const isLive = this.#isLive;
    this.#runs = this.#runs.map((run) => run.filter(isLive)).filter(({ length }) => length > 0);
    this.#recent = this.#recent.filter(isLive);
    this.#fresh = this.#fresh.filter(isLive);
    for (const code of this.#retired) this.reusable.push(code);
    this.#size -= this.#retired.length;
    this.#retired = [];
    this.#texts.compact([...this.#runs, this.#recent, this.#fresh]);
  }

  #label(): void {
    while (this.#runs.length > 1) {
      const runs = this.#runs;
      this.#runs = [];
      for (let at = 0; at < runs.length; at += 2) {
        const [one, other] = [runs[at] as Int32Array, runs[at + 1]];
        this.#runs.push(other ? this.#merge(one, other) : one);
      }
    }
    const sorted = this.#runs[0] ?? new Int32Array(0);
    this.labels = roomFor(this.labels, sorted.reduce((most, code) => Math.max(most, code), 0) + 1);
    const gap = Math.floor(HIGHEST / (sorted.length + 1));
    for (let at = 0; at < sorted.length; at += 1) this.labels[sorted[at] as number] = (at + 1) * gap;
    this.#lacksLabels = false;
  }

  /** Returns the first position whose text does not sort before the prefix. */
  #placeIn(run: ArrayLike<number>, prefix: EncodedText): number {
    return firstPlace(run.length, (at) => this.#texts.compareTo(run[at] as number, prefix) < 0);
  }

  #placeOf(run: ArrayLike<number>, code: number): number {
    return firstPlace(run.length, (at) => this.#texts.compare(run[at] as number, code) < 0);
  }
}

/** Binary search for the first of `length` positions that is not before. */
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
