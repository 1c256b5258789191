import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const PATH = '/dashboard/length-of-stay';
const ADA = patientWith();
const PER = patientWith({ id: '3_4', firstName: 'Per', lastName: 'Lindqvist' });
const results = (over: object = {}): [number, object] => [
  200,
  { patients: [ADA, PER], total: 2, numPages: 1, facets: {}, ...over },
];

/** The live stream of the simulated browser: tells what the test says. */
const streams: EventTarget[] = [];
beforeEach(() => {
  streams.length = 0;
  HTMLElement.prototype.hidePopover = () => {};
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      constructor() {
        super();
        streams.push(this);
      }
      close(): void {}
    },
  );
});
const tell = (kind: string, data: object): void => {
  act(() => void streams.at(-1)?.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) })));
};

const open = (answers: Parameters<typeof serve>[0] = {}, path = PATH) => {
  setWidth(1440);
  const permissions = ['canViewPatients', 'canViewLengthOfStay', 'canViewPings'];
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/count': [200, { count: 1204 }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params': [200, []],
    'POST /api/patients/search': results(),
    'POST /api/patients/similar-names': [200, { patientIds: ['3_4'] }],
    'POST /api/patients/range-counts': [200, { counts: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0] }],
    ...answers,
  });
  return { router: openApp(path), of: (route: string) => called.filter((one) => one.route === route) };
};

test('it opens on the view of the specification, and one call counts the stays of the picture', async () => {
  const { of, router } = open();
  const picture = await screen.findByRole('img', { name: 'Most stays are in the range of 0–9 days: 2 of 2.' });
  expect(picture).toBeTruthy();
  expect(of('POST /api/patients/search')[0]?.body).toMatchObject({
    searchContext: 'ALL',
    pageSize: 20,
    termFacetSizeOverride: 50,
    sortBy: ['PING_ENCOUNTER_DATE'],
    sortOrder: 'DESC',
    userDefinedFacetPreferences: {
      openPatientsOnly: true,
      preferenceMap: { groupType: [{ value: 'SNF' }], lengthOfStay: [{ value: '0:100' }] },
    },
  });
  const counted = of('POST /api/patients/range-counts');
  expect(counted).toHaveLength(1);
  // What follows from a list by itself is nobody's activity: an unwatched page's session ends.
  for (const route of ['POST /api/patients/range-counts', 'POST /api/patients/similar-names'])
    expect(of(route)[0]?.headers['x-tidings-background']).toBe('1');
  expect(counted[0]?.body['ranges']).toHaveLength(10);
  expect(await screen.findByText('2 of 1,204 · Team East')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Filter: The usual view' })).toBeTruthy();
  expect(router.state.location.search).toEqual({});
  const per = (await screen.findByRole('link', { name: 'Lindqvist, Per' })).closest('tr');
  await waitFor(() => expect(per?.textContent).toContain('Similar name'));
});

test('another result waits until it is shown, and its stays are counted anew with it', async () => {
  let answer = results();
  const { of } = open({ 'POST /api/patients/search': () => answer });
  await screen.findByRole('img');
  await waitFor(() => expect(streams).toHaveLength(1));
  answer = results({ patients: [PER], total: 1 });
  tell('rows', { at: '2026-11-21T12:00:00Z' });
  const bar = await screen.findByRole('button', { name: 'The result has changed — show' });
  expect(screen.getByRole('link', { name: 'Okonkwo-Reyes, Adaeze' })).toBeTruthy();
  expect(of('POST /api/patients/range-counts')).toHaveLength(1);
  await userEvent.click(bar);
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Okonkwo-Reyes, Adaeze' })).toBeNull());
  await waitFor(() => expect(of('POST /api/patients/range-counts')).toHaveLength(2));
});

test('a saved filter holds in its place; none can be made the list’s default', async () => {
  const saved = {
    id: '3',
    name: 'Long stays',
    teamId: '5',
    orderNum: 1,
    offset: 0,
    query: '',
    ignoredFacets: [],
    loggableFilterRepresentation: 'lengthOfStay: 1',
    searchContext: 'ALL',
    userDefinedFacetPreferences: {
      query: '',
      dateOfBirth: null,
      preferenceMap: { lengthOfStay: [{ field: 'lengthOfStay', value: '60:', negated: false }] },
      openPatientsOnly: true,
    },
    sortBy: ['LENGTH_OF_STAY'],
    sortOrder: 'DESC',
    pageNumber: 1,
    pageSize: 20,
  };
  const { of } = open({ 'GET /api/patient-search-params': [200, [saved]] }, `${PATH}/active-filter-id/3`);
  const button = await screen.findByRole('button', { name: 'Filter: Long stays' });
  await waitFor(() =>
    expect(of('POST /api/patients/search').at(-1)?.body).toMatchObject({
      sortBy: ['LENGTH_OF_STAY'],
      userDefinedFacetPreferences: { preferenceMap: { lengthOfStay: [{ value: '60:' }] } },
    }),
  );
  const popover = document.getElementById(button.getAttribute('popovertarget') ?? '');
  popover?.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
  expect(await screen.findByRole('menuitemradio', { name: 'The usual view' })).toBeTruthy();
  expect(screen.queryByRole('menuitemradio', { name: 'All Patients' })).toBeNull();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Manage filters…' }));
  await screen.findByRole('button', { name: 'Rename Long stays' });
  expect(screen.queryByRole('button', { name: 'Open this list with Long stays' })).toBeNull();
});

test('nothing in the view, and nobody at all, are two things; a failure says what failed', async () => {
  open({ 'POST /api/patients/search': results({ patients: [], total: 0, numPages: 0 }) });
  expect(await screen.findByText('No patients match 3 filters.')).toBeTruthy();
});

test('a list that fails says so and can be tried again', async () => {
  let fails = true;
  open({
    'POST /api/patients/search': () => (fails ? [500, { errorKey: 'INTERNAL', requestId: 'r-1' }] : results()),
  });
  expect((await screen.findByRole('alert')).textContent).toContain('The patients could not be loaded.');
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: 'Lindqvist, Per' })).toBeTruthy();
});

test('its columns are chosen apart from those of the patients', async () => {
  const preferences = { timeZone: 'America/Chicago', density: 'comfortable', singleKeyShortcuts: true };
  let kept: unknown = null;
  open({
    'GET /api/users/profile': [200, { preferences: { ...preferences, patientColumns: ['practice'] } }],
    'PUT /api/users/preferences': ({ body }) => {
      kept = body;
      return [204];
    },
  });
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const usual = ['Patient', 'Facility', 'Admitted', 'Stay', 'Expected', 'Program', 'Current status'];
  expect(heads().filter((head) => usual.includes(head ?? ''))).toEqual(usual);
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Expected' }));
  expect(kept).toEqual({
    ...preferences,
    patientColumns: ['practice'],
    stayColumns: ['facility', 'admitted', 'stay', 'program', 'status'],
  });
});
