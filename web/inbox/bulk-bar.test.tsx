import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../testing/patients.ts';

liveStream();

/** Row `n` of the list: one stay with one unresolved ping. */
const row = (n: number) => {
  const ping = pingWith({ id: String(100 + n), eventIdentifier: String(200 + n) });
  return patientWith({
    id: `${n}_${n}`,
    lastName: `Person${n}`,
    currentPing: ping,
    currentPingEncounter: encounterWith(ping),
    card: cardWith([ping]),
  });
};
const record = {
  id: '9',
  resolutions: [],
  otherText: null,
  username: 'ana@lakeshore.example',
  date: '2026-11-21T15:41:00Z',
};

/** Opens the inbox with a list of `total` rows, and returns the paths of the changes that are sent. */
const openList = (total: number, refused: number | null = null) => {
  setWidth(1440);
  const rows = Array.from({ length: total }, (_, n) => row(n + 1));
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: total }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': ({ body }) => {
      const { pageNumber = 1, pageSize = 20 } = body as { pageNumber?: number; pageSize?: number };
      const patients = rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
      return [200, { patients, total, numPages: Math.ceil(total / pageSize), facets: [] }];
    },
    ...Object.fromEntries(
      rows.map(({ id }, n) => [
        `POST /api/patients/${id}/events/management-status`,
        n + 1 === refused
          ? [409, { errorKey: 'PING_CHANGED_BY_OTHER', message: 'R. Diaz just changed this ping.' }]
          : [200, { ...record, status: 'DISMISSED' }],
      ]),
    ),
  });
  openApp('/dashboard/home/inbox');
  return () => called.filter(({ route }) => route.endsWith('/management-status')).map(({ route }) => route);
};

test('all matching rows are changed, also those of other pages, after a question that counts them', async () => {
  const sent = openList(45);
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select PERSON1,/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select this page' }));
  await userEvent.click(screen.getByRole('button', { name: 'Select all 45 matching' }));
  await screen.findByText('45 selected');
  await userEvent.click(screen.getByRole('button', { name: 'Dismissed' }));
  expect(screen.getByText('Dismissed: 45 stays of 45 patients?')).toBeTruthy();
  expect(sent()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Change 45' }));
  await screen.findByText('Dismissed: 45 done.', { selector: 'span' });
  expect(new Set(sent()).size).toBe(45);
});

test('a row that is refused stays selected with the reason, and harms no other one', async () => {
  const sent = openList(3, 2);
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Select PERSON2,/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select this page' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dismissed' }));
  await screen.findByText(/R\. Diaz just changed this ping\./);
  expect(screen.getByText('1 selected')).toBeTruthy();
  await waitFor(() => expect(new Set(sent()).size).toBe(3));
  expect(screen.getByRole('checkbox', { name: /^Select PERSON2,/ })).toHaveProperty('checked', true);
});
