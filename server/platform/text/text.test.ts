import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bigramLikeness } from './bigram-likeness.ts';
import { soundex } from './soundex.ts';

// The examples of the National Archives.
test.each([
  ['WASHINGTON', 'W252'],
  ['LEE', 'L000'],
  ['GUTIERREZ', 'G362'],
  ['PFISTER', 'P236'],
  ['JACKSON', 'J250'],
  ['TYMCZAK', 'T522'],
  ['ASHCRAFT', 'A261'],
  ['', '0000'],
])('the sound of %s is %s', (name, code) => {
  expect(soundex(name)).toBe(code);
});

test('likeness of texts counts common pairs of letters, and does not depend on the order of words', () => {
  expect(bigramLikeness('NIGHT', 'NACHT')).toBe(0.25);
  expect(bigramLikeness('OAKPARKSTAMM', 'STAMMOAKPARK')).toBeGreaterThan(0.9);
  expect(bigramLikeness('', '')).toBe(1);
  expect(bigramLikeness('A', 'B')).toBe(0);
});

test('likeness is symmetric, 1 for equal texts, and never more', () => {
  const text = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const likeness = bigramLikeness(a, b);
      expect(likeness).toBe(bigramLikeness(b, a));
      expect(likeness).toBeLessThanOrEqual(1);
      expect(likeness).toBeGreaterThanOrEqual(0);
      expect(bigramLikeness(a, a)).toBe(1);
    }),
  );
});
