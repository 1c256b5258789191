import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as constants from '#contract/constants.ts';
import { ERRORS, RESET_REQUESTED, UNLOCK_REQUESTED } from '#contract/errors.ts';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import { APPLICATION_EXPERIENCES, PRIMARY_CLINICAL_SETTINGS } from '#contract/experiences.ts';
import { SEARCH_CONTEXTS } from '#contract/facets.ts';
import { FILTER_GROUPS } from '#contract/filter-groups.ts';
import { GROUP_TYPES } from '#contract/groups.ts';
import { MANAGEMENT_STATUS_LABELS, OTHER_TEXT_LIMIT, RESOLUTION_LABELS } from '#contract/management-status.ts';
import { isPagePath } from '#contract/page-paths.ts';
import { PERMISSION_GUARDS } from '#contract/permission-guards.ts';
import { PERMISSION_FLAGS, STANDARD_ROLES } from '#contract/permissions.ts';
import { type Route, routes } from '#contract/routes.ts';
import { deletedBanner, renamedBanner, SEARCH_MODULES, savedBanner } from '#contract/saved-filter-words.ts';
import { defaultSortOrder, PAGE_SIZES, SORT_KEYS } from '#contract/sorts.ts';
import { TIME_ZONE_LABELS } from '#contract/time-zones.ts';
import { TYPEAHEAD_KINDS } from '#contract/typeahead.ts';
import { APPLICATION_LOCATIONS, CLIENT_ERROR_KINDS } from '#contract/usage.ts';
import { TOKEN_PURPOSES } from '#contract/users.ts';
import { has } from './schema-fields.ts';
import * as screens from './specification-screens.ts';
import * as specified from './specification-table.ts';

const root = join(import.meta.dirname, '../..');

/** The text of all files of the product that can hold words which people or programs read. */
function sources(): string {
  return ['contract', 'web', 'server']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(tsx?|css)$/.test(file) && !/\.test\.|^testing|\/testing\//.test(file))
        .map((file) => readFileSync(join(root, folder, file), 'utf8')),
    )
    .join('\n')
    .replaceAll(/\s+/g, ' ');
}

/** Paths are the same if only the names of their parameters differ. */
const anonymous = (key: string): string => key.replaceAll(/:\w+/g, ':');

test('every call of the specification is in the contract, with what it takes and returns', () => {
  const byKey = new Map<string, Route>();
  for (const [key, route] of Object.entries<Route>(routes)) {
    byKey.set(anonymous(key), route);
    if (route.alias) byKey.set(anonymous(`${key.split(' ')[0] ?? ''} ${route.alias}`), route);
  }
  const missing = specified.CALLS.flatMap(({ key, query = [], body = [], answer = [] }) => {
    const route = byKey.get(anonymous(key));
    if (route === undefined) return [key];
    const lacks = (part: 'query' | 'body' | 'answer', names: readonly string[]) =>
      names.filter((name) => !has(route[part], [name])).map((name) => `${key}: ${part} ${name}`);
    return [...lacks('query', query), ...lacks('body', body), ...lacks('answer', answer)];
  });
  expect(missing).toEqual([]);
  expect(specified.TYPEAHEADS.filter((kind) => !(TYPEAHEAD_KINDS as readonly string[]).includes(kind))).toEqual([]);
});

test('every permission of the specification exists and guards something, and the administrator holds the admin-type group', () => {
  expect(specified.PERMISSIONS.filter((flag) => !(PERMISSION_FLAGS as readonly string[]).includes(flag))).toEqual([]);
  expect(specified.PERMISSIONS.filter((flag) => !(flag in PERMISSION_GUARDS))).toEqual([]);
  const administrator: readonly string[] = STANDARD_ROLES.administrator;
  expect(specified.ADMINISTRATIVE.filter((flag) => !administrator.includes(flag))).toEqual([]);
});

test('every message of the specification is word for word', () => {
  const known = Object.fromEntries(Object.entries(ERRORS).map(([key, [, message]]) => [key, message]));
  expect(known).toMatchObject(specified.ERRORS);
  expect([RESET_REQUESTED, UNLOCK_REQUESTED].every((text) => specified.TEXTS.includes(text))).toBe(true);
  expect([savedBanner('A'), renamedBanner('A'), deletedBanner('A')]).toEqual([
    'Saved A',
    'Renamed A filter',
    'Deleted A filter',
  ]);
  const all = sources();
  expect(specified.TEXTS.filter((text) => !all.includes(text))).toEqual([]);
});

test('every label, code and order of the specification is the product’s', () => {
  expect(EVENT_LABELS).toEqual(specified.EVENT_TYPES);
  expect(MANAGEMENT_STATUS_LABELS).toEqual(specified.STATUSES);
  expect(RESOLUTION_LABELS).toEqual(specified.RESOLUTIONS);
  expect(PRIMARY_CLINICAL_SETTINGS).toEqual(specified.CLINICAL_SETTINGS);
  expect([...APPLICATION_EXPERIENCES].sort()).toEqual([...specified.EXPERIENCES].sort());
  expect(SEARCH_CONTEXTS).toEqual(['ALL', 'EVENTS', 'PINGS']);
  expect(specified.SEARCH_MODULES.filter((name) => !(SEARCH_MODULES as readonly string[]).includes(name))).toEqual([]);
  expect(specified.SORT_KEYS.filter((key) => !(SORT_KEYS as readonly string[]).includes(key))).toEqual([]);
  expect([...GROUP_TYPES].sort()).toEqual(['ADMITTING', 'HOS', 'PROGRAM', 'SNF']);
  expect(APPLICATION_LOCATIONS).toEqual(specified.LOCATIONS);
  expect(CLIENT_ERROR_KINDS).toEqual(specified.ERROR_KINDS);
  expect(Object.keys(TIME_ZONE_LABELS)).toEqual(specified.TIME_ZONES);
  expect([...TOKEN_PURPOSES].sort()).toEqual(['ACCOUNT_ACTIVATION', 'ACCOUNT_UNLOCK', 'PASSWORD_RESET']);
  const labels: readonly string[] = FILTER_GROUPS.map(({ label }) => label);
  const groups = specified.FILTER_GROUPS.map((label) => (label === 'flags' ? 'Flags' : label));
  expect(labels.filter((label) => groups.includes(label))).toEqual(groups);
});

test('every path of the specification is one of the product’s pages', () => {
  expect(screens.PATHS.filter((path) => !isPagePath(path))).toEqual([]);
  expect(isPagePath('/dashboard/no-such-page')).toBe(false);
});

test('every kind of modal has its title, and a journey that opens it', () => {
  const journeys = readdirSync(join(root, 'e2e'))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, 'e2e', file), 'utf8'))
    .join('\n');
  const missing = Object.entries(screens.MODALS).filter(
    ([, { file, title, journey }]) =>
      !readFileSync(join(root, file), 'utf8').includes(title) || !journeys.includes(journey),
  );
  expect(missing.map(([kind]) => kind)).toEqual([]);
});

test('every constant of the specification has its value', () => {
  expect(constants).toMatchObject({
    TEAM_HEADER: 'x-ping-team-id',
    WRONG_PASSWORDS_BEFORE_LOCK: 3,
    PASSWORD_MIN_LENGTH: 8,
    PASSWORD_EXPIRES_AFTER_DAYS: 90,
    INACTIVITY_LOCK_DAYS: 90,
  });
  expect(PAGE_SIZES).toEqual([5, 10, 20]);
  expect(OTHER_TEXT_LIMIT).toBe(2000);
  const descending = SORT_KEYS.filter((key) => defaultSortOrder(key) === 'DESC' && specified.SORT_KEYS.includes(key));
  expect([...descending].sort()).toEqual(['LENGTH_OF_STAY', 'MANAGEMENT_STATUS_DATE', 'PING_ENCOUNTER_DATE']);
  // Where they are used. Journeys show that they hold.
  const all = sources();
  const inSources = [
    'TOAST_DURATION = 10_000',
    'EXPORT_POLL_EVERY = 30_000',
    'RETRY_TRIES = 5',
    'RETRY_PAUSE = 500',
    'CHUNK_TIMEOUT = 120_000',
    'ACTIVITY_THROTTLE = 1000',
    'SHOWN_LENGTH = 30',
    'TYPEAHEAD_SIZE = 5',
    'VISIT_HISTORY_PAGE_SIZE = 5',
    'top: 10rem',
    'min-width: min(32rem, ',
    '400ms',
    '1023',
  ];
  expect(inSources.filter((text) => !all.includes(text))).toEqual([]);
});
