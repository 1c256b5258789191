import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ManagementStatus } from '#contract/management-status.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../testing/patients.ts';

const { streams, tell } = liveStream();

/** A stay whose only ping has this status. */
const stay = (n: number, status: ManagementStatus) => {
  const ping = pingWith({ id: String(100 + n), eventIdentifier: String(200 + n) });
  const changed = { ...ping, currentManagementStatus: { ...ping.currentManagementStatus, status } };
  return patientWith({
    id: `${n}_${n}`,
    lastName: `Person${n}`,
    currentPing: changed,
    currentPingEncounter: encounterWith(changed),
    card: { ...cardWith([changed]), status },
  });
};
type Stay = ReturnType<typeof stay>;

/** Serves an inbox with pages of 20. */
const serveInbox = (stays: Stay[], hash: () => string = () => 'h') => {
  setWidth(1440);
  const statusOf = (one: Stay) => one.currentPing?.currentManagementStatus.status;
  return serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: stays.length }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings-result-hashes': () => [200, { hashes: [], hash: hash() }],
    'POST /api/pings': ({ body }) => {
      const { pageNumber = 1, userDefinedFacetPreferences: { preferenceMap } = {} } = body as {
        pageNumber?: number;
        userDefinedFacetPreferences?: { preferenceMap?: { managementStatus: { value: string }[] } };
      };
      const listed = stays.filter((one) => statusOf(one) === preferenceMap?.managementStatus[0]?.value);
      const patients = listed.slice((pageNumber - 1) * 20, pageNumber * 20);
      return [200, { patients, total: listed.length, numPages: Math.ceil(listed.length / 20), facets: {}, hash: 'h' }];
    },
    ...Object.fromEntries(stays.map((one) => [`GET /api/patients/${one.id}`, [200, one] as [number, unknown]])),
  });
};

const row = (n: number) => screen.findByRole('link', { name: new RegExp(`Person${n},`) });
const list = () => screen.findByRole('radio', { checked: true, name: /Unresolved|In Progress|Resolved|Dismissed/ });

test('an address lands on its row, in the list that has it', async () => {
  serveInbox([stay(1, 'NEW'), stay(2, 'RESOLVED')]);
  const router = openApp('/dashboard/home/inbox?sel=2_2');
  await waitFor(async () => expect(document.activeElement).toBe(await row(2)));
  expect((await list()).getAttribute('value')).toBe('ALL_RESOLVED');
  expect((await row(2)).getAttribute('aria-current')).toBe('true');
  expect(router.location.search).toMatchObject({ sel: '2_2', status: 'RESOLVED' });

  // From the list of another status, as the palette does.
  await act(() => router.navigate({ to: '/dashboard/home/inbox', search: { sel: '1_1' } }));
  await waitFor(async () => expect(document.activeElement).toBe(await row(1)));
  expect((await list()).getAttribute('value')).toBe('NEW');
});

test('a row on another page of the list is put before the others', async () => {
  serveInbox(Array.from({ length: 30 }, (_, n) => stay(n + 1, 'NEW')));
  openApp('/dashboard/home/inbox?sel=25_25');
  await waitFor(async () => expect(document.activeElement).toBe(await row(25)));
  const rows = await screen.findByRole('list', { name: 'Pings' });
  expect([...rows.querySelectorAll('a')].map(({ id }) => id).slice(0, 2)).toEqual(['ping-25_25', 'ping-1_1']);
});

test('after an interruption the list is asked for again only if it has changed', async () => {
  let hash = 'h';
  const stays = [stay(1, 'NEW'), stay(2, 'NEW')];
  const called = serveInbox(stays, () => hash);
  const asked = (route: string) => called.filter((one) => one.route === `POST /api/${route}`).length;
  openApp('/dashboard/home/inbox');
  await row(1);
  await waitFor(() => expect(streams).not.toHaveLength(0));
  expect(asked('pings')).toBe(1);
  tell('reload', { at: '2026-11-25T12:00:00Z' });
  await waitFor(() => expect(asked('pings-result-hashes')).toBeGreaterThan(0));
  expect(asked('pings')).toBe(1);
  expect(screen.queryByText('List updated', { exact: false })).toBeNull();

  hash = 'other';
  stays.reverse();
  tell('reload', { at: '2026-11-25T12:01:00Z' });
  expect(await screen.findByText('List updated', { exact: false })).toBeTruthy();
});

test('the details of a visit whose reason rests on a stay at a 42 CFR Part 2 facility carry the notice', async () => {
  const one = { ...stay(1, 'NEW'), hasPart2Records: true };
  serveInbox([one]);
  openApp('/dashboard/home/inbox?sel=1_1');
  const details = await screen.findByRole('region', { name: 'Open ping' });
  await waitFor(() => expect(details.textContent).toContain(PART2_NOTICE));
});
