import { describe, expect, it } from 'vitest';
import { Table } from './table.ts';
import type { Query, Row } from './types.ts';

const schema = {
  singles: ['city'],
  multis: ['tag'],
  numbers: ['age'],
  sortTexts: ['title'],
  words: ['name', 'identifier'],
};

const row = (key: number, rest: Partial<Row> = {}): Row => ({
  key,
  singles: {},
  multis: {},
  numbers: {},
  sortTexts: {},
  words: {},
  ...rest,
});

const all: Query = { filters: [], where: [], sort: [], offset: 0, limit: 100, facets: ['city', 'tag'], facetSize: 10 };

function tableOf(...rows: Row[]): Table {
  const table = new Table(schema);
  for (const each of rows) table.put(each);
  return table;
}

describe('filters', () => {
  const table = tableOf(
    row(1, { singles: { city: 'Alder Bay' }, numbers: { age: 40 } }),
    row(2, { singles: { city: 'Tern Point' }, numbers: { age: 70 } }),
    row(3, { singles: { city: null }, numbers: { age: null } }),
  );
  const keys = (...filters: Query['filters']) => table.search({ ...all, filters }).keys;

  it('pass a row without a value if values are excluded, and fail it if a value is required', () => {
    expect(keys({ facet: 'city', any: [], none: ['Alder Bay'] })).toEqual([2, 3]);
    expect(keys({ facet: 'city', any: ['Alder Bay'], none: [] })).toEqual([1]);
  });

  it('fail a row without a number in a range and in its negation', () => {
    expect(keys({ range: 'age', begin: 50, end: null, negated: false })).toEqual([2]);
    expect(keys({ range: 'age', begin: 50, end: null, negated: true })).toEqual([1]);
  });

  it('count a facet without its own filter, and return selected values that no row has', () => {
    const filters = [{ facet: 'city', any: ['Alder Bay', 'Nowhere'], none: [] }];
    expect(table.search({ ...all, filters, facetSize: 1 }).facets.city).toEqual({
      values: [
        { value: 'Alder Bay', count: 1 },
        { value: 'Nowhere', count: 0 },
      ],
      distinct: 2,
    });
  });

  it('are refused for an unknown column, and for a column that is filtered twice', () => {
    expect(() => keys({ facet: 'color', any: ['red'], none: [] })).toThrow("'color'");
    const city = { facet: 'city', any: ['Alder Bay'], none: [] };
    expect(() => keys(city, city)).toThrow('twice');
  });
});

describe('words', () => {
  const table = tableOf(
    row(1, { words: { name: ['kestrel', 'ada'], identifier: ['4711'] } }),
    row(2, { words: { name: ['kestrelson'], identifier: ['47110'] } }),
    row(3, { words: { name: ['kesterl'], identifier: ['4811'] } }),
    row(4, { words: { name: ['brandt'], identifier: ['kestrel'] } }),
  );
  const found = (...words: string[]) =>
    table.search({ ...all, words, sort: [{ by: 'relevance', descending: true }] }).keys;

  it('rank the same word first, then a prefix, then a prefix with a typo', () => {
    expect(found('kestrel')).toEqual([1, 4, 2, 3]);
    expect(found('kestral')).toEqual([1, 2]);
  });

  it('forgive a typo only in names, from four letters on', () => {
    expect(found('4711')).toEqual([1, 2]);
    expect(found('adx')).toEqual([]);
  });

  it('all have to match', () => {
    expect(found('kestrel', 'ada')).toEqual([1]);
    expect(found('kestrel', '47')).toEqual([1, 2]);
  });
});

describe('rows', () => {
  it('leave nothing behind when they are removed or replaced', () => {
    const table = tableOf(row(1, { singles: { city: 'Alder Bay' }, multis: { tag: ['new', 'new'] } }), row(2));
    table.put(row(1, { singles: { city: 'Tern Point' } }));
    expect(table.search(all).facets).toEqual({
      city: { values: [{ value: 'Tern Point', count: 1 }], distinct: 1 },
      tag: { values: [], distinct: 0 },
    });
    expect(table.remove(1)).toBe(true);
    expect(table.remove(1)).toBe(false);
    expect(table.has(1)).toBe(false);
    expect(table.search(all)).toMatchObject({ total: 1, keys: [2], facets: { city: { distinct: 0 } } });
  });

  it('are refused as a whole if a value cannot be stored', () => {
    const table = tableOf(row(1, { numbers: { age: 40 } }));
    expect(() => table.put(row(1, { numbers: { age: 2 ** 31 } }))).toThrow(RangeError);
    expect(() => table.put(row(0.5))).toThrow(RangeError);
    expect(table.search({ ...all, ranges: ['age'] })).toMatchObject({
      total: 1,
      ranges: { age: { min: 40, max: 40 } },
    });
  });

  it('with more words than a row can hold are found by the first ones of each kind', () => {
    const many = (letter: string) => Array.from({ length: 2000 }, (_, n) => `${letter}${n}`);
    const table = tableOf(row(1, { words: { name: ['kestrel'], identifier: ['x1'] } }));
    expect(table.put(row(2, { words: { name: ['kestrel'], identifier: many('i') } }))).toBe(false);
    expect(table.put(row(3, { words: { name: many('n'), identifier: many('k') } }))).toBe(false);
    const found = (...words: string[]) => table.search({ ...all, words }).keys;
    expect([found('kestrel'), found('i1021'), found('i1022')]).toEqual([[1, 2], [2], []]);
    expect([found('n510'), found('k511'), found('k512')]).toEqual([[3], [3], []]);
    expect(table.put(row(3, { words: { name: ['owl'] } }))).toBe(true);
    expect(found('owl')).toEqual([3]);
  });

  it('can have any safe integer as a key', () => {
    const keys = [Number.MIN_SAFE_INTEGER, -1, 0, 2 ** 32, Number.MAX_SAFE_INTEGER];
    expect(tableOf(...keys.toReversed().map((key) => row(key))).search(all).keys).toEqual(keys);
  });
});

describe('many values', () => {
  const COUNT = 70_000;
  const table = new Table(schema);
  for (let key = 0; key < COUNT; key += 1)
    table.put(
      row(key, {
        singles: { city: `c${key}` },
        multis: { tag: [`t${key}`, 'all'] },
        sortTexts: { title: `${key % 7}` },
      }),
    );

  it('of a facet stay distinct above 65,536', () => {
    const filters = [
      { facet: 'city', any: ['c69999', 'c4463'], none: [] },
      { facet: 'tag', any: ['t69999'], none: [] },
    ];
    const { total, keys, facets } = table.search({ ...all, filters });
    expect({ total, keys }).toEqual({ total: 1, keys: [69_999] });
    expect(facets.tag?.values.slice(0, 3)).toEqual([
      { value: 'all', count: 2 },
      { value: 't4463', count: 1 },
      { value: 't69999', count: 1 },
    ]);
    expect(table.search(all).facets.tag).toMatchObject({
      distinct: COUNT + 1,
      values: [{ value: 'all', count: COUNT }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
    });
  });

  it('are removed with their rows, and their memory is reused', () => {
    const before = table.bytes;
    for (let round = 0; round < 2; round += 1) {
      for (let key = 100; key < COUNT; key += 1) table.remove(key);
      expect(table.search(all)).toMatchObject({ total: 100, facets: { tag: { distinct: 101 } } });
      for (let key = 100; key < COUNT; key += 1)
        table.put(row(key, { singles: { city: `d${round}${key}` }, multis: { tag: [`u${round}${key}`, 'all'] } }));
    }
    expect(table.search(all)).toMatchObject({ total: COUNT, facets: { city: { distinct: COUNT } } });
    expect(table.bytes).toBeLessThan(before * 1.6);
  }, 60_000);

  it('that are equal keep deep pages stable', () => {
    const pages = [0, 5000, 69_990].map(
      (offset) => table.search({ ...all, facets: [], sort: [{ by: 'age', descending: true }], offset, limit: 3 }).keys,
    );
    expect(pages).toEqual([
      [0, 1, 2],
      [5000, 5001, 5002],
      [69_990, 69_991, 69_992],
    ]);
  });
});

describe('a child table', () => {
  it('counts a parent once for each child row, and follows changes of the parent', () => {
    const people = new Table({ ...schema, multis: [] });
    const events = new Table(
      { singles: ['type'], multis: [], numbers: [], sortTexts: [], words: [] },
      { parent: people },
    );
    people.put(row(1, { singles: { city: 'Alder Bay' } }));
    people.put(row(2, { singles: { city: 'Tern Point' } }));
    for (const [key, parent] of [
      [10, 1],
      [11, 1],
      [12, 2],
    ] as const)
      events.put(row(key, { parent, singles: { type: key === 10 ? 'in' : 'out' } }));
    const cities = () => events.search({ ...all, facets: ['city'] }).facets.city?.values;
    expect(cities()).toEqual([
      { value: 'Alder Bay', count: 2 },
      { value: 'Tern Point', count: 1 },
    ]);
    people.put(row(1, { singles: { city: 'Tern Point' } }));
    expect(cities()).toEqual([{ value: 'Tern Point', count: 3 }]);
    expect(() => people.remove(2)).toThrow('child rows');
    expect(() => events.put(row(13, { parent: 3 }))).toThrow('parent');
    events.remove(12);
    expect(people.remove(2)).toBe(true);
    expect(cities()).toEqual([{ value: 'Tern Point', count: 2 }]);
  });

  it('cannot share a column name with its parent', () => {
    expect(() => new Table(schema, { parent: new Table(schema) })).toThrow(TypeError);
  });
});

it('finds the rows that refer to a parent now, not those that did or were removed', () => {
  const parent = tableOf(row(1), row(2));
  const child = new Table({ ...schema, singles: [], multis: [], numbers: [], sortTexts: [], words: [] }, { parent });
  for (const key of [10, 11, 12, 13]) child.put(row(key, { parent: key === 12 ? 2 : 1 }));
  child.put(row(11, { parent: 2 }));
  child.remove(10);
  expect(child.childrenOf([1])).toEqual([13]);
  expect(child.childrenOf([2, 3]).toSorted((a, b) => a - b)).toEqual([11, 12]);
});
