import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { checkInput } from './plain-input.ts';

/** Returns the fields of the refusal, or null. */
function refusal(input: { params?: unknown; query?: unknown; body?: unknown }) {
  try {
    checkInput({ params: {}, query: {}, body: undefined, ...input });
    return null;
  } catch (error) {
    return error instanceof ApiError ? [error.key, error.fields] : error;
  }
}

const unreadable = (field: string) => ['BAD_REQUEST', { [field]: 'Contains an unreadable character.' }];

test('characters that cannot be stored are refused wherever they are', () => {
  expect(refusal({ params: { id: '1\0' } })).toEqual(unreadable('id'));
  expect(refusal({ query: { name: ['a', 'b\0'] } })).toEqual(unreadable('name.1'));
  expect(refusal({ body: { filter: [{ values: ['x', 'y\ud800z'] }] } })).toEqual(unreadable('filter.0.values.1'));
  expect(refusal({ body: { filter: { 'a\0': 1 } } })).toEqual(unreadable('filter'));
  expect(refusal({ body: '\0' })).toEqual(unreadable('request'));
});

test('any other text passes', () => {
  expect(
    refusal({ body: { name: 'Zoë 😀\t\n\u200b', list: [1, null, true, ''], deep: { a: { b: ['c'] } } } }),
  ).toBeNull();
});

test('deep nesting and very many query parameters are refused', () => {
  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
  expect(refusal({ body: nested(20) })).toBeNull();
  expect(refusal({ body: nested(1_000_000) })).toEqual(['BAD_REQUEST', { '0.0.0': 'Nested too deeply.' }]);
  const query = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, '']));
  expect(refusal({ query })).toEqual(['BAD_REQUEST', { query: 'Too many parameters.' }]);
});
