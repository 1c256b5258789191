/** A small seeded source of random numbers (Chris Doty-Humphrey's sfc32), cheap enough to have one for each of a million families. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** The same three numbers give the same sequence on every machine. */
  constructor(seed: number, stream: number, purpose: number) {
    this.#a = mix(seed);
    this.#b = mix(stream ^ 0x9e3779b9);
    this.#c = mix(purpose ^ 0x85ebca6b);
    for (let round = 0; round < 10; round++) this.next();
  }

  /** Returns a number in [0, 1). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  }

  /** Returns an integer from 0 to `below` − 1. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Returns an integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Returns an item; the first ones are more frequent than the last ones, as names are: of 16 names, the first has 16 %. */
  pickRanked<T>(items: readonly T[]): T {
    return items[Math.floor(items.length * this.next() ** 1.5)] as T;
  }

  digits(count: number): string {
    return String(this.below(10 ** count)).padStart(count, '0');
  }
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}

/** Returns a number from 0 to 2³² − 1 that depends on the text and on nothing else. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mix(hash) >>> 0;
}

/** Values that are drawn in proportion to their weights. */
export class Weighted<T> {
  readonly #values: readonly T[];
  readonly #sums: Float64Array;

  constructor(weights: Iterable<readonly [T, number]>) {
    const entries = [...weights];
    this.#values = entries.map(([value]) => value);
    this.#sums = new Float64Array(entries.length);
    let sum = 0;
    for (const [index, [, weight]] of entries.entries()) this.#sums[index] = sum += weight;
  }

  draw(random: Random): T {
    const at = random.next() * (this.#sums.at(-1) ?? 0);
    let [low, high] = [0, this.#sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sums[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return this.#values[low] as T;
  }
}
