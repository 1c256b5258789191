/** Hashes of 53 bits, for millions of short texts of one file. */

const SEED = { high: 0xdeadbeef, low: 0x41c6ce57 };

/** Returns 53 bits of the text: cyrb53, since millions of short texts of one file are hashed. */
export function hashOf(text: string): number {
  let { high, low } = SEED;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return finish(high, low);
}

/** Puts a hash of each key and each value, in this order, into `to`. In one loop, so that no number takes memory of its own. */
export function combineEach(keys: Float64Array, count: number, values: readonly number[], to: Float64Array): void {
  let length = 0;
  for (let v = 0; v < values.length; v++) {
    const b = values[v] as number;
    // Of each number the lower 32 bits and the rest.
    const restOfB = b / 4294967296;
    for (let k = 0; k < count; k++) {
      const a = keys[k] as number;
      const restOfA = a / 4294967296;
      const high = Math.imul(Math.imul(SEED.high ^ a, 2654435761) ^ restOfA, 2246822507);
      const low = Math.imul(Math.imul(SEED.low ^ restOfA, 1597334677) ^ a, 3266489909);
      to[length++] = finish(
        Math.imul(Math.imul(high ^ b, 2654435761) ^ restOfB, 2246822507),
        Math.imul(Math.imul(low ^ restOfB, 1597334677) ^ b, 3266489909),
      );
    }
  }
}

function finish(first: number, second: number): number {
  const high = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  const low = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
