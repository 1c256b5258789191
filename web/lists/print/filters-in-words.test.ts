import { expect, test } from 'vitest';
import type { ListFilters } from '../../filters/use-filters.ts';
import { filtersInWords } from './filters-in-words.ts';

const NOTHING = { view: null, filters: {}, openPatientsOnly: false, text: '', dateOfBirth: null, ignored: [] };
const wordsOf = (search: object) =>
  filtersInWords({ saved: null, criteria: NOTHING, search } as unknown as ListFilters, undefined);

test('a print of the stays that somebody has taken, or that wait, says so', () => {
  expect(wordsOf({})).toEqual([]);
  expect(wordsOf({ owner: 'mine', waiting: 'hide' })).toEqual(['Owner: Mine', 'Not waiting']);
  expect(wordsOf({ owner: 'none' })).toEqual(['Owner: Unassigned']);
});
