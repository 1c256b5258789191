import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameJson } from './same-json.ts';

/** Few keys and values, so that two of them are often the same. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('', 'a', 0, 1, true, false, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0'), fc.option(tie('value'), { nil: undefined }), { maxKeys: 3 }),
  ),
}));

/** The text of the value with sorted keys, without what is undefined. */
const textOf = (of: unknown): string =>
  JSON.stringify(of, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

test('two values are the same exactly if their texts with sorted keys are', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(isSameJson(a, b)).toBe(textOf(a) === textOf(b));
    }),
    { numRuns: 2000 },
  );
});

test('a value is the same as what is read of it, in any order of its keys', () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(isSameJson(given, JSON.parse(textOf(given)))).toBe(true);
    }),
  );
});
