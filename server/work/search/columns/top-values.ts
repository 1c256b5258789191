/**
 * The `size` codes with the highest counts; among equal counts, those with the lower label. A min-heap, so that most codes cost one
 * comparison.
 */
export class TopValues {
  /** How many codes with a count above 0 were offered. */
  distinct = 0;
  readonly #size: number;
  readonly #counts: Int32Array;
  readonly #labels: Int32Array;
  readonly #heap: number[] = [];
  #least = 0;

  constructor(size: number, counts: Int32Array, labels: Int32Array) {
    this.#size = size;
    this.#counts = counts;
    this.#labels = labels;
  }

  /** Takes a code, which is offered only once. */
  offer(code: number, count: number): void {
    if (count <= 0) return;
    this.distinct += 1;
    if (count < this.#least) return;
    const heap = this.#heap;
    if (heap.length < this.#size) {
      this.#rise(heap.push(code) - 1, code);
      if (heap.length < this.#size) return;
    } else {
      if (heap.length === 0 || this.compare(code, heap[0] as number) > 0) return;
      this.#sink(code);
    }
    this.#least = this.#counts[heap[0] as number] as number;
  }

  /** Returns the codes, highest count first. */
  codes(): number[] {
    return this.#heap.toSorted((a, b) => this.compare(a, b));
  }

  /** Returns a negative number if the first sorts before the second. */
  compare(code: number, other: number): number {
    const byCount = (this.#counts[other] as number) - (this.#counts[code] as number);
    return byCount !== 0 ? byCount : (this.#labels[code] as number) - (this.#labels[other] as number);
  }

  #rise(place: number, code: number): void {
    const heap = this.#heap;
    let at = place;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.compare(code, heap[above] as number) < 0) break;
      heap[at] = heap[above] as number;
      at = above;
    }
    heap[at] = code;
  }

  #sink(code: number): void {
    const heap = this.#heap;
    let at = 0;
    for (let below = 1; below < heap.length; below = at * 2 + 1) {
      if (below + 1 < heap.length && this.compare(heap[below + 1] as number, heap[below] as number) > 0) below += 1;
      if (this.compare(code, heap[below] as number) >= 0) break;
      heap[at] = heap[below] as number;
      at = below;
    }
    heap[at] = code;
  }
}
