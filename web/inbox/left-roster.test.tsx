import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Patient } from '#contract/patients.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith, pingWith } from '../testing/patients.ts';

const { streams, tell } = liveStream();

const rowOf = (n: number, overrides: Partial<Patient> = {}) =>
  patientWith({
    id: `${n}_${n}`,
    firstName: `Patient${n}`,
    currentPing: pingWith({ eventIdentifier: `4${n}` }),
    ...overrides,
  });

/** The patient as the server has them once a roster without them was applied. */
const leftRoster = (n: number) => {
  const { listings } = patientWith();
  return rowOf(n, {
    listings: listings.map((listing) => ({ ...listing, groupName: 'Harborview', leftAt: '2026-11-21T15:40:00Z' })),
    currentPing: pingWith({
      eventIdentifier: `4${n}`,
      currentManagementStatus: {
        id: '9',
        status: 'RESOLVED',
        resolutions: ['SYSTEM_RESOLVED'],
        username: 'System',
        displayName: null,
        otherText: 'No longer on the list.',
        date: '2026-11-21T15:40:00Z',
      },
    }),
  });
};

test('when open patients leave the roster, rows and details say so in their places, and no ping is called new', async () => {
  setWidth(1440);
  const all = [1, 2, 3, 4, 5].map((n) => rowOf(n));
  const listed = new Map(all.map((row) => [row.id, row]));
  const inbox = () => [...listed.values()].filter(({ card }) => card?.status === 'NEW');
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 5 }],
    'GET /api/pings/count/open': [200, { count: 5 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings-result-hashes': () => [200, { hashes: [], hash: String(inbox().length) }],
    // A page of three rows.
    'POST /api/pings': () => [
      200,
      { patients: inbox().slice(0, 3), total: inbox().length, numPages: 2, facets: {}, hash: String(inbox().length) },
    ],
    ...Object.fromEntries(all.map(({ id }) => [`GET /api/patients/${id}`, () => [200, listed.get(id)] as const])),
    ...Object.fromEntries(
      all.flatMap(({ id }) => [
        [`POST /api/patients/${id}/events/seen`, [204]],
        [`POST /api/patients/${id}/events/management-status-history`, [200, []]],
      ]),
    ),
  });
  openApp('/dashboard/home/inbox?sel=1_1');
  const detail = await screen.findByRole('region', { name: 'Open ping' });
  expect(await within(detail).findByRole('button', { name: 'Resolve' })).toBeTruthy();
  await waitFor(() => expect(streams).not.toHaveLength(0));
  for (const n of [1, 2]) listed.set(`${n}_${n}`, leftRoster(n));
  tell('reload', { at: '2026-11-21T15:40:00Z' });
  expect(await within(detail).findByText(/^No longer on Harborview's roster since/)).toBeTruthy();
  expect(within(detail).queryByRole('button', { name: 'Resolve' })).toBeNull();
  const rows = within(screen.getByRole('list', { name: 'Pings' }));
  await waitFor(() => expect(rows.getAllByText(/No longer on the list\./)).toHaveLength(2));
  expect(rows.getAllByRole('link').map(({ id }) => id)).toEqual(['ping-1_1', 'ping-2_2', 'ping-3_3']);
  expect(screen.getByRole('button', { name: 'List updated — show' })).toBeTruthy();
  expect(screen.getByText(/^1–3 of 3$/)).toBeTruthy();
});
