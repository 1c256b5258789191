/** Many queries over posting lists that are long enough to be rebuilt, before and after many changes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { queryOf, rowOf, schemaOf } from '#server/testing/columns/random-rows.ts';
import { ReferenceTable } from '#server/testing/columns/reference-table.ts';
import { Table } from './table.ts';

const schema = schemaOf('');
const ROWS = 200;
const CHANGES = 30_000;
const QUERIES = 10_000;

it('answers 10,000 queries like plain loops, before and after 30,000 changes', () => {
  const seed = 11;
  const rows = fc.sample(rowOf(schema), { seed, numRuns: 3000 });
  const queries = fc.sample(queryOf(ROWS, schema), { seed, numRuns: QUERIES });
  const table = new Table(schema);
  const reference = new ReferenceTable(schema);
  const put = (key: number, n: number) => {
    const row = { ...(rows[n % rows.length] as (typeof rows)[number]), key };
    table.put(row);
    reference.rows.set(key, row);
  };
  const ask = (from: number, to: number) => {
    for (const sampled of queries.slice(from, to)) {
      // One facet each: the plain loops are slow, and the property test asks for all facets.
      const query = { ...sampled, facets: sampled.facets.slice(0, 1), ranges: [] };
      const [answer, expected] = [table.search(query), reference.search(query)];
      if (JSON.stringify(answer) !== JSON.stringify({ ...expected })) expect(answer).toEqual(expected);
    }
  };
  for (let key = 0; key < ROWS; key += 1) put(key, key);
  ask(0, QUERIES / 2);
  for (let n = 0; n < CHANGES; n += 1) {
    const key = Math.imul(n, 0x9e37_79b1) >>> 24;
    if (n % 5 === 0) expect(table.remove(key)).toBe(reference.rows.delete(key));
    else put(key, n + (n >> 4));
  }
  ask(QUERIES / 2, QUERIES);
}, 60_000);
