/** Random rows and queries for the tests of the columns: few distinct values, so that they coincide, including awkward ones. */
import fc from 'fast-check';
import type { Filter, Query, Row, Sort, TableSchema } from '#server/work/search/columns/types.ts';

/** Returns the columns of a test table. The prefix keeps the names of two tables apart. */
export const schemaOf = (prefix: string): TableSchema => ({
  singles: [`${prefix}color`, `${prefix}place`, `${prefix}flag`],
  multis: [`${prefix}tags`, `${prefix}codes`],
  numbers: [`${prefix}age`, `${prefix}day`],
  sortTexts: [`${prefix}title`],
  words: ['name', 'identifier'],
});

const VALUES = [
  'red',
  'blue',
  'Green House',
  'green',
  'été',
  'ete',
  '\u{1f600}x',
  '',
  '\uff5e',
  'a',
  'b',
  'Æ',
  'mercy north',
];
const WORDS = [
  'smith',
  'smithe',
  'smiht',
  'smit',
  'smi',
  'mith',
  'jones',
  'jonas',
  'élan',
  'elan',
  '\u{1f600}abc',
  '4711',
  '47110',
  '4712',
  'x',
];

const value = fc.constantFrom(...VALUES);
const word = fc.constantFrom(...WORDS);
const number = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(-0x7fff_ffff, 0x7fff_ffff, 2_000_000_000, -2_000_000_000),
);

const record = <T>(names: readonly string[], of: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.record(Object.fromEntries(names.map((name) => [name, of])));

/** Random rows without their keys. */
export const rowOf = (schema: TableSchema): fc.Arbitrary<Omit<Row, 'key' | 'parent'>> =>
  fc.record({
    singles: record(schema.singles, fc.option(value, { freq: 4 })),
    multis: record(schema.multis, fc.array(value, { maxLength: 5 })),
    numbers: record(schema.numbers, fc.option(number, { freq: 5 })),
    sortTexts: record(schema.sortTexts, value),
    words: record(schema.words, fc.array(word, { maxLength: 3 })),
  });

const selection = fc.array(
  fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: fc.constant('no row has it') }),
  {
    maxLength: 3,
  },
);
const bound = fc.option(fc.oneof(number, fc.constantFrom(-1e12, 1e12, 3.5)), { freq: 4 });

const filterOn = (name: string, isRange: boolean): fc.Arbitrary<Filter> =>
  isRange
    ? fc.record({ range: fc.constant(name), begin: bound, end: bound, negated: fc.boolean() })
    : fc.record({ facet: fc.constant(name), any: selection, none: fc.oneof(fc.constant([]), selection) });

/** Random queries for a table with these schemas: its own, and its parent's if it has one. */
export function queryOf(keys: number, ...schemas: TableSchema[]): fc.Arbitrary<Query> {
  const facets = schemas.flatMap(({ singles, multis }) => [...singles, ...multis]);
  const ranges = schemas.flatMap(({ numbers }) => [...numbers]);
  const sorts = schemas.flatMap(({ singles, numbers, sortTexts }) => [...singles, ...numbers, ...sortTexts]);
  const filters = (maxLength: number): fc.Arbitrary<Filter[]> =>
    fc
      .subarray([...facets, ...ranges], { maxLength })
      .chain((names) => fc.tuple(...names.map((name) => filterOn(name, ranges.includes(name)))));
  const sort: fc.Arbitrary<Sort> = fc.record({
    by: fc.constantFrom(...sorts, 'relevance'),
    descending: fc.boolean(),
  });
  const running: fc.Arbitrary<Sort>[] = schemas.map(({ numbers: [by = '', since = ''] }) =>
    fc.record({
      by: fc.constant(by),
      descending: fc.boolean(),
      running: fc.record({ since: fc.constant(since), until: fc.integer({ min: 0, max: 20 }) }),
    }),
  );
  return fc.record({
    words: fc.oneof(
      fc.constant([]),
      fc.array(fc.oneof(word, fc.constantFrom('s', 'smth', 'jnoes', '')), { maxLength: 2 }),
    ),
    filters: fc.oneof(filters(3), filters(facets.length + ranges.length)),
    where: fc.oneof(fc.constant([]), filters(2)),
    without: fc.array(fc.integer({ min: 0, max: keys }), { maxLength: 3 }),
    sort: fc.array(fc.oneof({ weight: 4, arbitrary: sort }, ...running), { maxLength: 3 }),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
    limit: fc.integer({ min: 0, max: 30 }),
    facets: fc.oneof(fc.constant(facets), fc.subarray(facets)),
    facetSize: fc.integer({ min: 0, max: 8 }),
    ranges: fc.subarray(ranges),
  });
}
