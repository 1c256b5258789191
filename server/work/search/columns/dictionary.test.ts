import { describe, expect, it } from 'vitest';
import { Dictionary } from './dictionary.ts';

/** Codes sorted by label must be in the order of their texts. */
function expectOrder(dictionary: Dictionary, codes: readonly number[]): void {
  const labels = dictionary.labels();
  const byLabel = codes.toSorted((a, b) => (labels[a] as number) - (labels[b] as number));
  const texts = byLabel.map((code) => dictionary.text(code));
  expect(texts).toEqual(texts.toSorted());
  expect(new Set(codes.map((code) => labels[code])).size).toBe(codes.length);
}

describe('a dictionary', () => {
  it('keeps labels in order when each new text falls between the same two', () => {
    const dictionary = new Dictionary({ labelled: true });
    const codes = [dictionary.intern(0, 'a'), dictionary.intern(0, 'z')];
    for (let n = 0; n < 100; n += 1) {
      codes.push(dictionary.intern(0, `m${'a'.repeat(100 - n)}`));
      expectOrder(dictionary, codes);
    }
  });

  it('keeps labels in order while thousands of texts are added one by one and removed', () => {
    const dictionary = new Dictionary({ labelled: true });
    const codes = new Set<number>();
    for (let n = 0; n < 4000; n += 1) {
      codes.add(dictionary.intern(0, String(Math.imul(n, 0x9e37_79b1) >>> 0)));
      dictionary.labels();
      const [oldest] = codes;
      if (n % 3 !== 0 || oldest === undefined) continue;
      codes.delete(oldest);
      dictionary.release(oldest);
    }
    expect(dictionary.size).toBe(codes.size);
    expectOrder(dictionary, [...codes]);
    expect(dictionary.bound).toBeLessThan(4000);
  });

  it('finds the texts of a kind by prefix, including the newest', () => {
    const dictionary = new Dictionary({ labelled: false });
    for (let n = 0; n < 3000; n += 1) dictionary.intern(n % 2, `${n}`);
    const found = (prefix: string) => {
      const texts: string[] = [];
      dictionary.eachBeginningWith(0, prefix, (code) => texts.push(dictionary.text(code)));
      return texts.toSorted();
    };
    expect(found('123')).toEqual(['1230', '1232', '1234', '1236', '1238']);
    dictionary.intern(0, '123x');
    dictionary.release(dictionary.find(0, '1232'));
    expect(found('123')).toEqual(['1230', '1234', '1236', '1238', '123x']);
    expect(found('')).toHaveLength(1500);
  });

  it('keeps many texts in order while many others are removed', () => {
    for (const labelled of [true, false]) {
      const dictionary = new Dictionary({ labelled });
      const textOf = (n: number) => (Math.imul(n, 0x9e37_79b1) >>> 0).toString(36);
      const texts = new Map(Array.from({ length: 20_000 }, (_, n) => [dictionary.intern(0, textOf(n)), textOf(n)]));
      for (const code of [...texts.keys()].filter((each) => each % 3 === 0)) {
        dictionary.release(code);
        texts.delete(code);
      }
      for (let n = 20_000; n < 30_000; n += 1) texts.set(dictionary.intern(0, textOf(n)), textOf(n));
      expect(dictionary.bound).toBeLessThan(30_000);
      const found: string[] = [];
      dictionary.eachBeginningWith(0, 'z', (code) => found.push(dictionary.text(code)));
      expect(found.toSorted()).toEqual([...texts.values()].filter((text) => text.startsWith('z')).toSorted());
      if (labelled) expectOrder(dictionary, [...texts.keys()]);
    }
  });
});
