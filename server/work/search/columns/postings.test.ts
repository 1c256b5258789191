import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Postings } from './postings.ts';

const ROWS = 3000;
const CODES = 3;

it('adds the weight exactly at the rows that a code has, however often rows were added and removed', () => {
  const step = fc.record({
    code: fc.integer({ min: 0, max: CODES - 1 }),
    from: fc.integer({ min: 0, max: ROWS - 1 }),
    count: fc.integer({ min: 1, max: 2500 }),
    put: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25, size: 'max' }), (steps) => {
      const lists = new Postings(ROWS);
      const expected = Array.from({ length: CODES }, () => new Set<number>());
      for (const { code, from, count, put } of steps) {
        const rows = expected[code] as Set<number>;
        for (let row = from; row < Math.min(from + count, ROWS); row += 1) {
          if (put === rows.has(row)) continue;
          if (put) lists.add(code, row);
          else lists.remove(code, row);
          if (put) rows.add(row);
          else rows.delete(row);
        }
        for (const [each, has] of expected.entries()) {
          const weights = new Int32Array(ROWS);
          lists.addTo(weights, each, 5);
          expect(lists.sizes[each]).toBe(has.size);
          expect(weights.findIndex((weight, row) => weight !== (has.has(row) ? 5 : 0))).toBe(-1);
        }
      }
    }),
    { numRuns: 60, seed: 5 },
  );
}, 60_000);
