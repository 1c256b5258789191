/**
 * A seeded random source. `fork` derives a new source from the seed and a label only, not from how much was drawn before, so that a change
 * to one part of a world leaves the others as they were.
 */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `low` to `high`, inclusive. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns one of the values, in proportion to its weight. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T;
  shuffle<T>(items: readonly T[]): T[];
  /** Returns a waiting time with the given mean (exponential distribution). */
  wait(mean: number): number;
  fork(label: string | number): Random;
}

/** FNV-1a over the label with a final avalanche, four times with different offsets: the 128-bit seed of sfc32. */
function hashWords(label: string): [number, number, number, number] {
  const words: [number, number, number, number] = [0x811c9dc5, 0x1b873593, 0xcc9e2d51, 0x27d4eb2f];
  for (let index = 0; index < label.length; index++) {
    const code = label.charCodeAt(index);
    for (let word = 0; word < 4; word++) words[word] = Math.imul((words[word] as number) ^ code, 0x01000193 + 2 * word);
  }
  return words.map((word) => {
    const mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    return (mixed ^ (mixed >>> 13)) >>> 0;
  }) as [number, number, number, number];
}

/** Chris Doty-Humphrey's small fast counting generator (sfc32), 128 bits of state. */
function sfc32([a, b, c, counter]: [number, number, number, number]): () => number {
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  };
  for (let round = 0; round < 8; round++) next();
  return next;
}

/** Returns a random source with the same sequence for the same seed on every machine. */
export function makeRandom(seed: string): Random {
  const next = sfc32(hashWords(seed));
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(items: readonly T[]): T => {
    if (items.length === 0) throw new RangeError('Nothing to pick from.');
    return items[int(0, items.length - 1)] as T;
  };
  const weighted = <T>(choices: readonly (readonly [T, number])[]): T => {
    let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    return pick(choices)[0];
  };
  const shuffle = <T>(items: readonly T[]): T[] => {
    const result = [...items];
    for (let index = result.length - 1; index > 0; index--) {
      const other = int(0, index);
      [result[index], result[other]] = [result[other] as T, result[index] as T];
    }
    return result;
  };
  return {
    next,
    int,
    pick,
    weighted,
    shuffle,
    chance: (probability) => next() < probability,
    wait: (mean) => -Math.log(1 - next()) * mean,
    fork: (label) => makeRandom(`${seed}/${label}`),
  };
}
