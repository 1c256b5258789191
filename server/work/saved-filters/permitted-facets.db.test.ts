import { describe, expect, test } from 'vitest';
import type { SavedFilter } from '#contract/saved-filters.ts';
import { create, list, preferences, refusalOf, save, startSavedFilterApp } from '#server/testing/saved-filters.ts';

const { coordinator, rows } = await startSavedFilterApp();

describe('facets', () => {
  const mapOf = (filter: SavedFilter | undefined) =>
    Object.keys(filter?.userDefinedFacetPreferences.preferenceMap ?? {});

  test('that the user may not filter by are refused', async () => {
    const { client } = await coordinator({ removed: ['canViewCovid19Status'] });
    const error = await refusalOf(client, { name: 'Covid', ...preferences({ covid19: ['ACTIVE'] }) });
    expect(error.fields).toEqual({
      'userDefinedFacetPreferences.preferenceMap.covid19':
        "Your role on this team doesn't allow filtering by Covid-19.",
    });
  });

  test('that the user may no longer use are left out and named, survive changes, and return with the permission', async () => {
    const { client, user } = await coordinator();
    const { id } = await create(client, 'Covid', preferences({ covid19: ['ACTIVE'], gender: ['Male'] }));
    await rows('update grants set removed = array_append(removed, $2) where user_id = $1', [
      user.id,
      'canViewCovid19Status',
    ]);
    const [filter] = await list(client);
    expect([mapOf(filter), filter?.ignoredFacets]).toEqual([['gender'], ['covid19']]);
    expect(filter?.loggableFilterRepresentation).toBe('gender: 1');
    const changed = await save(client, id, { name: 'Covid, men', ...preferences({ age: ['65:'] }) });
    expect([mapOf(changed), changed.ignoredFacets]).toEqual([['age'], ['covid19']]);
    await rows("update grants set removed = '{}' where user_id = $1", [user.id]);
    const [after] = await list(client);
    expect([mapOf(after), after?.ignoredFacets]).toEqual([['age', 'covid19'], []]);
    expect(after?.userDefinedFacetPreferences.preferenceMap.covid19?.[0]?.value).toBe('ACTIVE');
  });

  test('and sort keys of an older version are left out, and facets are named, until the filter is saved again', async () => {
    const { client } = await coordinator();
    const { id } = await create(client, 'Old', preferences({ gender: ['Male'] }));
    const old = {
      userDefinedFacetPreferences: {
        query: 'oko',
        preferenceMap: {
          gender: [{ field: 'gender', value: 'Male', negated: false }],
          ward: [{ field: 'ward', value: '3 West', negated: false }],
          age: [{ field: 'age', value: 'old', negated: false }],
        },
      },
      sortBy: ['WARD'],
      pageSize: 20,
    };
    await rows('update saved_filters set parameters = $2 where id = $1', [id, JSON.stringify(old)]);
    const [filter] = await list(client);
    expect([mapOf(filter), filter?.ignoredFacets]).toEqual([['gender'], ['age', 'ward']]);
    expect(filter).toMatchObject({ sortBy: [], pageSize: 20, query: 'oko' });
    expect(await save(client, id, filter as SavedFilter)).toEqual({ ...filter, ignoredFacets: [] });
  });
});
