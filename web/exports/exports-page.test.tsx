import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ExportJob } from '#contract/exports.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';

const job = (over: Partial<ExportJob>): ExportJob => ({
  id: '1',
  name: 'Pings list',
  limits: { groups: { names: ['Lakeshore ACO'], count: 1 }, statuses: [], list: null },
  teamId: '1',
  teamName: 'ACO Care Coordination',
  exportType: 'CSV',
  createdAt: '2026-11-20T15:00:00Z',
  modifiedAt: '2026-11-20T15:00:00Z',
  inProgress: false,
  started: true,
  failed: false,
  failure: null,
  rows: 12,
  total: 12,
  bytes: 2000,
  expiresAt: '2026-11-27T15:00:00Z',
  ...over,
});

const LIST = {
  filterName: null,
  preferenceMap: {},
  openPatientsOnly: false,
  hasText: false,
  hasBirthDate: false,
  hidden: 0,
};
const value = (field: string, text: string) => ({ field, value: text, negated: false });

test('exports say what limits them; one in progress is canceled, a finished one deleted once that is confirmed', async () => {
  setWidth(1440);
  let jobs = [
    job({ id: '4', name: 'Encounters, all dates', inProgress: true, expiresAt: null, total: null }),
    job({
      id: '3',
      limits: {
        groups: { names: ['Lakeshore ACO'], count: 1 },
        statuses: [],
        list: {
          ...LIST,
          filterName: 'My Lantern',
          hasText: true,
          hidden: 2,
          preferenceMap: { program: [value('program', 'Lantern')] },
        },
      },
    }),
    job({ id: '1', limits: { groups: { names: ['A'], count: 1 }, statuses: [], list: LIST } }),
    job({ id: '2', limits: { groups: { names: ['A', 'B', 'C'], count: 12 }, statuses: ['DECEASED'], list: null } }),
  ];
  const calls = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'] })],
    'GET /api/export/recent-export-jobs': () => [200, jobs],
    'DELETE /api/export/jobs/4': () => {
      jobs = jobs.filter(({ id }) => id !== '4');
      return [204];
    },
    'DELETE /api/export/jobs/3': () => {
      jobs = jobs.filter(({ id }) => id !== '3');
      return [204];
    },
  });
  openApp('/dashboard/exports');
  const table = await screen.findByRole('region', { name: 'Recent Exports' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.querySelector('td')?.textContent?.replace(/^.* [AP]M ET/, ''))).toEqual([
    'Lakeshore ACO',
    'Lakeshore ACO · Saved filter “My Lantern” · A name or identifier · Program: Lantern · 2 patients hidden',
    'A · No filters',
    '12 groups · Events: Deceased',
  ]);
  await userEvent.click(screen.getByRole('button', { name: /^Cancel Encounters, all dates, started/ }));
  await expect.poll(() => screen.queryByText('Encounters, all dates')).toBe(null);
  const [first] = screen.getAllByRole('button', { name: /^Delete Pings list, started/ });
  if (first) await userEvent.click(first);
  const dialog = await screen.findByRole('dialog', { name: 'Delete export' });
  expect(calls.filter(({ route }) => route.startsWith('DELETE'))).toHaveLength(1);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await expect.poll(() => screen.queryAllByRole('button', { name: /^Delete/ })).toHaveLength(2);
});
