import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ListGap } from '#contract/feed-health.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';

const { tell } = liveStream();

const gap = (name: string, why: ListGap['why'] = 'SILENT'): ListGap => ({
  groupId: name,
  facilityName: name,
  since: '2026-11-20T15:00:00Z',
  why,
});

test('a list says which facilities it does not hear from, and follows live', async () => {
  setWidth(1440);
  let gaps: ListGap[] = [];
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'] })],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/search': [200, { patients: [patientWith()], total: 1, numPages: 1, facets: {} }],
    'GET /api/list-gaps': () => [200, gaps],
  });
  openApp('/dashboard/patients/my-patients');
  await screen.findByRole('table', { name: 'Patients' });
  expect(screen.queryByText(/may be incomplete/)).toBe(null);

  gaps = [gap('Mercy General'), gap('St. Brendan', 'PAUSED'), gap('Oak Hollow', 'PARTLY_SILENT'), gap('Tamarack')];
  tell('feeds', { at: '2026-11-20T18:00:00Z' });
  const notice = await screen.findByText(/This list may be incomplete/);
  expect(notice.textContent).toMatch(/Mercy General: no messages since 11\/20\/2026 .* and 3 more$/);
  await userEvent.click(notice);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/ since .*/, ''))).toEqual(
    expect.arrayContaining([
      'Mercy General: no messages',
      'St. Brendan: messages on hold',
      'Oak Hollow: no messages from one of its systems',
      'Tamarack: no messages',
    ]),
  );

  gaps = [];
  tell('feeds', { at: '2026-11-20T18:10:00Z' });
  await expect.poll(() => screen.queryByText(/may be incomplete/)).toBe(null);
});
