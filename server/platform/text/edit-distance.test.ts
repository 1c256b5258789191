import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOneDigitOff, isOneEdit } from './edit-distance.ts';

const digits = (number: number): string => String(number).padStart(5, '0');

test('numbers are one digit off where their digits are one edit apart', () => {
  const number = fc.nat(99_999);
  /** Another digit, or two neighbors swapped, so that many pairs are near. */
  const near = fc.tuple(number, fc.nat(4), fc.nat(9)).map(([one, place, digit]): [number, number] => {
    const text = digits(one);
    const swapped = text.slice(0, place) + text.slice(place + 1, place + 2) + text[place] + text.slice(place + 2);
    return [one, Number(digit < 5 ? swapped : text.slice(0, place) + digit + text.slice(place + 1))];
  });
  fc.assert(
    fc.property(fc.oneof(near, fc.tuple(number, number)), ([a, b]) => {
      fc.pre(a !== b);
      expect(isOneDigitOff(a, b)).toBe(isOneEdit(digits(a), digits(b)));
    }),
    { numRuns: 2000 },
  );
});
