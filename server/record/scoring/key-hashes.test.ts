import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findsStrangers, hashesOf, hashOfKey } from './key-hashes.ts';

const part = fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.replaceAll(':', ''));
const key = fc
  .tuple(fc.constantFrom(...'PEMIDAGYN'), part)
  .map(([kind, rest]) => `${kind}:${rest}`)
  .filter((text) => text.length > 2);
const parted = fc.tuple(fc.constantFrom('S:', 'Z:', 'H:12:'), part, part).filter(([, a, b]) => a !== '' && b !== '');

test('a number is an exact integer, and says the kind of the key', () => {
  fc.assert(
    fc.property(key, (text) => {
      const hash = hashOfKey(text);
      const { first, last } = hashesOf(text.charAt(0));
      expect(Number.isSafeInteger(hash) && hash >= first && hash <= last).toBe(true);
      expect(findsStrangers(hash)).toBe(!/^[PEMI]:/.test(text));
    }),
  );
});

test('keys with the same first parts are found together, and no key of another kind or another first part among a few', () => {
  fc.assert(
    fc.property(parted, part, key, ([kind, first, rest], other, stranger) => {
      const range = hashesOf(kind + first);
      const isFound = (text: string): boolean => hashOfKey(text) >= range.first && hashOfKey(text) <= range.last;
      expect(isFound(`${kind}${first}:${rest}`)).toBe(true);
      expect(isFound(stranger)).toBe(false);
      if (other !== '' && other !== first) expect(isFound(`${kind}${other}:${rest}`)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('a hundred thousand birth dates and names have numbers of their own', () => {
  const keys = Array.from({ length: 100_000 }, (_, n) => (n % 2 === 0 ? `D:${n}` : `N:ADA:${n}`));
  expect(new Set(keys.map(hashOfKey)).size).toBe(keys.length);
});
