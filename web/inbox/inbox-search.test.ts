import { expect, test } from 'vitest';
import { safeReturnPath } from '../session/session.ts';
import { inboxSearch, parametersOf } from './inbox-search.ts';

test('the inbox opens on what nobody has taken up, newest first, twenty a page', () => {
  expect(parametersOf(inboxSearch({}))).toEqual({
    searchContext: 'PINGS',
    sortBy: ['PING_ENCOUNTER_DATE'],
    sortOrder: 'DESC',
    pageNumber: 1,
    pageSize: 20,
    userDefinedFacetPreferences: { preferenceMap: { managementStatus: [{ field: 'managementStatus', value: 'NEW' }] } },
  });
});

test('names sort upwards unless asked otherwise', () => {
  expect(parametersOf(inboxSearch({ sort: 'LAST_NAME' })).sortOrder).toBe('ASC');
  expect(parametersOf(inboxSearch({ sort: 'LAST_NAME', order: 'DESC' })).sortOrder).toBe('DESC');
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

test('after sign-in only a path of this site is followed', () => {
  expect(safeReturnPath('/dashboard/home/inbox?p=2')).toBe('/dashboard/home/inbox?p=2');
  for (const path of ['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', '/login', undefined])
    expect(safeReturnPath(path)).toBeNull();
});
