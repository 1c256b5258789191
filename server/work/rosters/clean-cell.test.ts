import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clean, isClean, isNotable } from './clean-cell.ts';
import { decodeText } from './decode-text.ts';

const byte = fc.oneof(
  fc.constantFrom(...' \t?\'="@+-1aé\u0000\u007f\u0080\u00a0\u00ad'),
  fc.string({ minLength: 1, maxLength: 1 }),
);

test('a cell that is taken as it is needs neither cleaning nor decoding, and has no character to look at', async () => {
  const { decodeCell } = await decodeText([]);
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 6 }), (bytes) => {
      const cell = bytes.join('');
      if (isClean(cell)) expect([clean(cell), decodeCell(cell), isNotable(cell)]).toEqual([cell, cell, false]);
    }),
    { numRuns: 3000 },
  );
});

test.each(['', '123', 'Ama Osei', "O'Brien", 'a=b', '+1', '~'])('%j is taken as it is', (cell) => {
  expect(isClean(cell)).toBe(true);
});
