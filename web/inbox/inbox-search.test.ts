import { expect, test } from 'vitest';
import { noFilters, withSort } from '../filters/criteria.ts';
import { parametersOf } from '../filters/search-parameters.ts';
import { safeReturnPath } from '../session/paths.ts';
import { inboxKind, inboxSearch, UNRESOLVED_LIST } from './inbox-search.ts';

test('the inbox opens on unresolved pings, newest first, twenty per page, without facet counts', () => {
  expect(UNRESOLVED_LIST.parameters).toEqual({
    searchContext: 'PINGS',
    sortBy: ['PING_ENCOUNTER_DATE'],
    sortOrder: 'DESC',
    pageNumber: 1,
    pageSize: 20,
    termFacetSizeOverride: 0,
    userDefinedFacetPreferences: {
      query: '',
      dateOfBirth: null,
      openPatientsOnly: false,
      preferenceMap: { managementStatus: [{ field: 'managementStatus', value: 'NEW', negated: false }] },
    },
  });
});

test('another status of the list replaces the value of its filter', () => {
  const { always } = inboxKind('RESOLVED');
  const { userDefinedFacetPreferences } = parametersOf(noFilters(20), { context: 'PINGS', always: always ?? {} });
  expect(userDefinedFacetPreferences?.preferenceMap?.managementStatus).toEqual([
    { field: 'managementStatus', value: 'RESOLVED', negated: false },
  ]);
});

test('what needs action is unresolved or in progress, the most urgent first; all resolved pings are those that are closed', () => {
  const { always, defaults } = inboxKind('NEEDS_ACTION');
  expect(always?.managementStatus?.map(({ value }) => value)).toEqual(['NEW', 'IN_PROGRESS']);
  expect(always?.needsAction?.map(({ value }) => value)).toEqual(['YES']);
  expect([defaults.sort, defaults.order]).toEqual(['URGENCY', 'DESC']);
  expect(inboxKind('ALL_RESOLVED').always?.managementStatus?.map(({ value }) => value)).toEqual([
    'RESOLVED',
    'DISMISSED',
  ]);
});

test('names sort ascending by default, lengths of stay descending', () => {
  expect(withSort(noFilters(20), 'LAST_NAME').order).toBe('ASC');
  expect(withSort(noFilters(20), 'LENGTH_OF_STAY').order).toBe('DESC');
});

test('a URL carries codes and opaque ids; everything else is dropped', () => {
  expect(
    inboxSearch({ status: 'toString', sort: 'NAME', group: 'Lindqvist', p: 'x', sel: '11/02/1956', q: 'Lindqvist' }),
  ).toEqual({});
  expect(inboxSearch({ status: 'RESOLVED', group: 4, p: '3', sel: '101_501' })).toEqual({
    status: 'RESOLVED',
    group: '4',
    p: 3,
    sel: '101_501',
  });
});

test('sign-in returns only to a path of this site', () => {
  expect(safeReturnPath('/dashboard/home/inbox?p=2')).toBe('/dashboard/home/inbox?p=2');
  for (const path of ['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', '/login', undefined])
    expect(safeReturnPath(path)).toBeNull();
});
