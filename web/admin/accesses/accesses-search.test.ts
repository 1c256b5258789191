import { expect, test } from 'vitest';
import { accessesSearch } from './accesses-search.ts';

test('what is invalid in a URL is ignored', () => {
  expect(accessesSearch({ patient: '12_0', p: '3' })).toEqual({ patient: '12_0', p: 3 });
  expect(accessesSearch({ patient: 'Rosa', p: '-1' })).toEqual({});
});
