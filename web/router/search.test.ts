import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSearch, parseSearch } from './search.ts';

/** What a page may keep in its query. */
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.jsonValue().map((json) => JSON.parse(JSON.stringify(json)) as unknown),
  fc.jsonValue().map((json) => JSON.stringify(json)),
);

test('values survive being written into a URL and read from it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), value), (search) => {
      const read = parseSearch(formatSearch(search));
      expect({ ...read }).toEqual({ ...search });
      expect(formatSearch(read)).toBe(formatSearch(search));
    }),
  );
});

test.each([
  ['?p=2&open=true&none=null', { p: 2, open: true, none: null }],
  ['q=Mercy+General&zip=02134&id=%2212%22&empty=', { q: 'Mercy General', zip: '02134', id: '12', empty: '' }],
  ['a=1&a=x&a=%5B2%5D', { a: [1, 'x', [2]] }],
  ['f.age=65:&to=-&word=true%20story&broken=%E0%A4', { 'f.age': '65:', to: '-', word: 'true story', broken: '�' }],
  ['__proto__=1', JSON.parse('{"__proto__":1}')],
])('%s stands for its values', (query, values) => {
  expect(JSON.parse(JSON.stringify(parseSearch(query)))).toEqual(values);
});

test('no name has a value that the query does not give it', () => {
  expect('constructor' in parseSearch('?p=1')).toBe(false);
});

test('what is undefined is left out', () => {
  expect(formatSearch({ p: undefined })).toBe('');
  expect(formatSearch({ p: undefined, q: 1 })).toBe('?q=1');
});

test('a hostile query of any length is text', () => {
  for (const part of ['[', '{"a":', '"', '%', ' ', '-', '&a=', 'a&'])
    expect(Object.keys(parseSearch(`x=${part.repeat(200_000)}`)).length).toBeLessThan(3);
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(parseSearch(`x=${deep}`)['x'] === deep).toBe(true);
});
