import { expect, test } from 'vitest';
import { defaultSortOrder, SORT_KEYS, searchParameters } from '#contract/search.ts';
import { orderOf } from './row-order.ts';

const now = new Date('2026-11-20T15:00:00Z');

test('each key has the default order of the contract; relevance is always best match first', () => {
  for (const key of SORT_KEYS.filter((each) => each !== 'RELEVANCE')) {
    const parameters = searchParameters.parse({ sortBy: [key], userDefinedFacetPreferences: { query: 'ad' } });
    const [first] = orderOf(parameters, 'PINGS', now);
    expect([key, first?.descending]).toEqual([key, defaultSortOrder(key) === 'DESC']);
  }
  for (const sortOrder of [undefined, 'ASC', 'DESC'] as const) {
    const parameters = searchParameters.parse({ sortBy: '', sortOrder, userDefinedFacetPreferences: { query: 'ad' } });
    expect(orderOf(parameters, 'ALL', now)).toEqual([{ by: 'relevance', descending: true }]);
  }
});
