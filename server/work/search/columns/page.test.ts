import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReferenceTable } from '#server/testing/columns/reference-table.ts';
import { Table } from './table.ts';

const schema = { singles: ['city'], multis: [], numbers: ['age', 'day'], sortTexts: ['title'], words: [] };
const ROWS = 6000;

it('a page is the same slice that sorting all rows gives, with few and many ties, at any depth and length', () => {
  const table = new Table(schema);
  const reference = new ReferenceTable(schema);
  for (let n = 0; n < ROWS; n += 1) {
    const chance = Math.imul(n + 1, 0x9e37_79b1) >>> 0;
    const row = {
      key: chance,
      singles: { city: chance % 5 === 0 ? null : `c${chance % 3}` },
      multis: {},
      numbers: { age: chance % 7 === 0 ? null : chance % 40, day: (chance | 0) >> (chance % 31) },
      sortTexts: { title: `t${chance % 900}` },
      words: {},
    };
    table.put(row);
    reference.rows.set(row.key, row);
  }
  const sort = fc.record({ by: fc.constantFrom('city', 'age', 'day', 'title'), descending: fc.boolean() });
  const page = fc.record({
    sort: fc.array(sort, { maxLength: 3 }),
    offset: fc.integer({ min: 0, max: ROWS + 10 }),
    limit: fc.constantFrom(1, 20, 700, ROWS),
  });
  fc.assert(
    fc.property(page, (each) => {
      const query = { filters: [], where: [], facets: [], facetSize: 0, ...each };
      expect(table.search(query).keys).toEqual(reference.search(query).keys);
    }),
    { numRuns: 150, seed: 6 },
  );
}, 60_000);
