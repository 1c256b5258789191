import { expect, test } from 'vitest';
import { activeEncountersQuery, encountersExportQuery, listExportBody, listExportQuery } from './exports.ts';

test('a key that has several values comes several times, or once with commas', () => {
  const asked = { groupIds: ['7', '8'], statuses: ['ADMIT', 'DISCHARGE'], fields: [] };
  expect(encountersExportQuery.parse(asked)).toMatchObject(asked);
  expect(encountersExportQuery.parse({ groupIds: '7,8', statuses: 'ADMIT,DISCHARGE' })).toMatchObject(asked);
  expect(encountersExportQuery.parse({ statuses: 'ADMIT' })).toMatchObject({ statuses: ['ADMIT'] });
  expect(encountersExportQuery.safeParse({ statuses: 'ADMIT,NAP' }).success).toBe(false);
});

test('a key that is not known is refused, because an export without its limit would have more', () => {
  for (const query of [activeEncountersQuery, encountersExportQuery, listExportQuery])
    expect(query.safeParse({ 'groupIds[]': '7' }).success).toBe(false);
  expect(listExportBody.safeParse({ 'visibleTo[]': ['7'] }).success).toBe(false);
  expect(listExportBody.safeParse({ userDefinedFacetPreferences: { preferences: {} } }).success).toBe(false);
  expect(listExportBody.safeParse({}).success).toBe(true);
});

test('an empty filter is none', () => {
  expect(activeEncountersQuery.parse({ filterId: '' }).filterId).toBeUndefined();
});
