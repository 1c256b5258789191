import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, uploader } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';

liveStream();

const NONE = [200, { patients: [], total: 0, numPages: 0, facets: {} }] as const;

/** Opens an empty list of a team with so many patients. */
const open = (path: string, count: number, permissions: string[] = []): void => {
  setWidth(1440);
  serve({
    'GET /api/me': [200, uploader(['canViewPings', 'canViewPatients', 'canViewEventFeed', ...permissions])],
    'GET /api/patients/count': [200, { count }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/pings': [...NONE],
    'POST /api/events/search': [...NONE],
    'POST /api/patients/search': [...NONE],
  });
  openApp(path);
};

const LISTS = [
  ['home/inbox', 'No unresolved pings.'],
  ['event-feed', 'No events yet.'],
  ['patients/my-patients?showFilters=false&f.gender=Male', 'No patients match 1 filter.'],
] as const;

test.each(LISTS)('%s of a team without patients says so and leads to the upload of a roster', async (path) => {
  open(`/dashboard/${path}`, 0, ['canUploadRoster']);
  expect(await screen.findByText('No patients yet.')).toBeTruthy();
  const link = within(screen.getByRole('main')).getByRole('link', { name: 'Upload a roster' });
  expect(link.getAttribute('href')).toBe('/dashboard/rosters');
});

test.each(LISTS)('%s of a team with patients says why it is empty: %s', async (path, words) => {
  open(`/dashboard/${path}`, 3, ['canUploadRoster']);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Upload a roster' })).toBeNull();
});

test('those who may not upload a roster are not led there', async () => {
  open('/dashboard/home/inbox', 0);
  expect(await screen.findByText('No patients yet.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Upload a roster' })).toBeNull();
});
