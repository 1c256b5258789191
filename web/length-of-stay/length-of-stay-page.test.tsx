import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';

const COUNTED = { counts: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0], expected: { stays: 0, medianDays: null } };
const PATH = '/dashboard/length-of-stay';
const ADA = patientWith();
const PER = patientWith({ id: '3_4', firstName: 'Per', lastName: 'Lindqvist' });
const results = (over: object = {}): [number, object] => [
  200,
  { patients: [ADA, PER], total: 2, numPages: 1, facets: {}, ...over },
];

const { streams, tell } = liveStream();
beforeEach(() => {
  HTMLElement.prototype.hidePopover = () => {};
});

const permissions = ['canViewPatients', 'canViewLengthOfStay', 'canViewPings'];
const open = (answers: Parameters<typeof serve>[0] = {}, path = PATH) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/count': [200, { count: 1204 }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params': [200, []],
    'POST /api/patients/search': results(),
    'POST /api/patients/similar-names': [200, { patientIds: ['3_4'] }],
    'POST /api/patients/range-counts': [200, COUNTED],
    ...answers,
  });
  return { router: openApp(path), of: (route: string) => called.filter((one) => one.route === route) };
};

test('the page opens with its default view, and one call counts the stays of the chart', async () => {
  const { of, router } = open();
  const chart = await screen.findByRole('img', { name: 'Most stays are 0–9 days (2 of 2).' });
  expect(chart).toBeTruthy();
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
  // Calls that a list makes by itself are not activity of the user, so that the session of an unattended page ends.
  for (const route of ['POST /api/patients/range-counts', 'POST /api/patients/similar-names'])
    expect(of(route)[0]?.headers['x-tidings-background']).toBe('1');
  expect(counted[0]?.body['ranges']).toHaveLength(10);
  expect(await screen.findByText('2 of 1,204 · Team East')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Filter: Default view' })).toBeTruthy();
  expect(router.location.search).toEqual({});
  const per = (await screen.findByRole('link', { name: 'Lindqvist, Per' })).closest('tr');
  await waitFor(() => expect(per?.textContent).toContain('Similar name'));
});

test('a changed result waits until it is shown, and its stays are counted again with it', async () => {
  let answer = results();
  const { of } = open({ 'POST /api/patients/search': () => answer });
  await screen.findByRole('img');
  await waitFor(() => expect(streams).toHaveLength(1));
  answer = results({ patients: [PER], total: 1 });
  tell('rows', { at: '2026-11-21T12:00:00Z' });
  const bar = await screen.findByRole('button', { name: 'List updated — show' });
  expect(screen.getByRole('link', { name: 'Okonkwo-Reyes, Adaeze' })).toBeTruthy();
  expect(of('POST /api/patients/range-counts')).toHaveLength(1);
  await userEvent.click(bar);
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Okonkwo-Reyes, Adaeze' })).toBeNull());
  await waitFor(() => expect(of('POST /api/patients/range-counts')).toHaveLength(2));
});

test('a saved filter replaces the default view, but none can become the default of this list', async () => {
  const saved = {
    id: '3',
    name: 'Long stays',
    owner: { name: 'Ama Osei', isYou: true, isOnTeam: true },
    isShared: false,
    mayChange: true,
    visibleTo: [],
    ignoredPatientIds: [],
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
  expect(await screen.findByRole('menuitemradio', { name: 'Default view' })).toBeTruthy();
  expect(screen.queryByRole('menuitemradio', { name: 'All Patients' })).toBeNull();
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Manage filters…' }));
  await screen.findByRole('button', { name: 'Rename Long stays' });
  expect(screen.queryByRole('button', { name: 'Make Long stays my default view' })).toBeNull();
});

test('an empty default view names its filters', async () => {
  open({ 'POST /api/patients/search': results({ patients: [], total: 0, numPages: 0 }) });
  expect(await screen.findByText('No patients match 3 filters.')).toBeTruthy();
});

test('a failed list says so and can be retried', async () => {
  let fails = true;
  open({
    'POST /api/patients/search': () => (fails ? [500, { errorKey: 'INTERNAL', requestId: 'r-1' }] : results()),
  });
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load patients.");
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: 'Lindqvist, Per' })).toBeTruthy();
});

test('its columns are stored apart from those of the patient list', async () => {
  const preferences = { ...DEFAULT_PREFERENCES, patientColumns: ['practice'] };
  let kept: unknown = null;
  open({
    'GET /api/me': [200, somebody({}, { permissions, preferences })],
    'PUT /api/users/preferences': ({ body }) => {
      kept = body;
      return [204];
    },
  });
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const usual = ['Patient', 'Facility', 'Admitted', 'Stay', 'Expected', 'Variance'];
  expect(heads().filter((head) => usual.includes(head ?? ''))).toEqual(usual);
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Expected' }));
  expect(kept).toEqual({
    ...preferences,
    stayColumns: ['facility', 'admitted', 'stay', 'variance'],
  });
});

test('a column without a value in any row is named under the rows', async () => {
  const preferences = { ...DEFAULT_PREFERENCES, stayColumns: ['facility', 'practice'] };
  open({ 'GET /api/me': [200, somebody({}, { permissions, preferences })] });
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  await screen.findByText('Not recorded for anyone on this page: Practice.');
  expect(screen.queryByRole('columnheader', { name: 'Practice' })).toBeNull();
});

const OVER = [{ field: 'expectedStay', value: 'OVER', negated: false }];
const chosenOf = (call: { body: Record<string, unknown> } | undefined) => {
  const asked = call?.body['userDefinedFacetPreferences'] as { preferenceMap: Record<string, unknown> } | undefined;
  return asked?.preferenceMap ?? {};
};

test('O switches between stays over expected and all, but not during typing', async () => {
  const { of, router } = open();
  await screen.findByRole('link', { name: 'Lindqvist, Per' });
  await userEvent.keyboard('o');
  await waitFor(() => expect(chosenOf(of('POST /api/patients/search').at(-1))['expectedStay']).toEqual(OVER));
  expect(screen.getByRole('button', { name: 'Over expected', pressed: true })).toBeTruthy();
  const used = screen.getByRole('list', { name: 'Applied filters' });
  await waitFor(() => expect(used.textContent).toContain('Expected Stay: Over expected'));
  expect(router.location.search).toMatchObject({ 'f.expectedStay': 'OVER', open: true });
  await userEvent.keyboard('o');
  await waitFor(() => expect(chosenOf(of('POST /api/patients/search').at(-1))).not.toHaveProperty('expectedStay'));
  await userEvent.keyboard('/o');
  expect(screen.getByRole('button', { name: 'Over expected', pressed: false })).toBeTruthy();
});

test('Over expected replaces other values of the same facet', async () => {
  const { of } = open({}, `${PATH}?f.expectedStay=WITHIN,NO_BENCHMARK`);
  await userEvent.click(await screen.findByRole('button', { name: 'Over expected', pressed: false }));
  await waitFor(() => expect(chosenOf(of('POST /api/patients/search').at(-1))['expectedStay']).toEqual(OVER));
});

const at = (id: string, lastName: string, place: string, over: object = {}) => {
  const patient = patientWith({ id, lastName });
  const stay = patient.currentPingEncounter as NonNullable<typeof patient.currentPingEncounter>;
  const admittingFacility = { ...stay.admittingFacility, name: place };
  return { ...patient, currentPingEncounter: { ...stay, admittingFacility, ...over } };
};
const FLU = { synonym: 'Influenza', fullCode: 'J10.1', mainCode: 'J10', parentCode: 'J10' };
const PLACED = [
  at('1_2', 'Adler', 'Oak Hollow', { lengthOfStay: 21, expectedLengthOfStay: 18, expectedDischargeDate: '2026-11-18' }),
  at('3_4', 'Birch', 'Cedar Court', { diagnosis: FLU }),
  at('5_6', 'Clay', 'Oak Hollow'),
];

test('rows are grouped by facility or diagnosis, with counts for the page; the URL keeps the grouping', async () => {
  const { router } = open({ 'POST /api/patients/search': results({ patients: PLACED, total: 30, numPages: 2 }) });
  const select = await screen.findByRole('combobox', { name: 'Group rows' });
  await screen.findByRole('link', { name: /Adler/ });
  expect(screen.queryByText(/on this page/)).toBeNull();
  await userEvent.selectOptions(select, 'By facility');
  const rows = () => screen.getAllByRole('row').map(({ textContent }) => textContent);
  const order = () =>
    rows().flatMap(
      (text) => /Oak Hollow \d on this page|Cedar Court \d on this page|ADLER|BIRCH|CLAY/.exec(text ?? '') ?? [],
    );
  await waitFor(() =>
    expect(order()).toEqual(['Oak Hollow 2 on this page', 'ADLER', 'CLAY', 'Cedar Court 1 on this page', 'BIRCH']),
  );
  expect(router.location.search).toEqual({ by: 'facility' });
  await userEvent.selectOptions(select, 'By diagnosis');
  expect(await screen.findByRole('rowheader', { name: 'Influenza · J10.1 1 on this page' })).toBeTruthy();
  expect(screen.getByRole('rowheader', { name: 'No diagnosis recorded 2 on this page' })).toBeTruthy();
  await userEvent.selectOptions(select, 'No grouping');
  await waitFor(() => expect(screen.queryByText(/on this page/)).toBeNull());
  expect(router.location.search).toEqual({});
});

test('on a phone, groups are lists with headings', async () => {
  open({ 'POST /api/patients/search': results({ patients: PLACED, total: 3 }) }, `${PATH}?by=facility`);
  setWidth(390);
  expect(await screen.findByRole('heading', { name: 'Oak Hollow 2 on this page' })).toBeTruthy();
  expect((await screen.findByRole('list', { name: 'Oak Hollow' })).querySelectorAll('[data-patient]')).toHaveLength(2);
});

test('the expected stay and the variance are beside the day; a missing expected stay is stated', async () => {
  open({ 'POST /api/patients/search': results({ patients: PLACED, total: 3 }) });
  const rowOf = async (name: RegExp) => (await screen.findByRole('link', { name })).closest('tr')?.textContent;
  const adler = await rowOf(/Adler/);
  expect(adler).toContain('Day 22');
  expect(adler).toContain('18 daysuntil 11/18/2026');
  expect(adler).toContain('+3 days over expected 18');
  expect((await rowOf(/Birch/))?.match(/No expected stay/g)).toHaveLength(2);
});

test.each([
  ['half of them', { stays: 1, medianDays: 18 }, true, /1 has an expected stay, median 18 days\.$/],
  ['too few', { stays: 0, medianDays: null }, false, /No expected stays on record\.$/],
  ['beyond the bars', { stays: 2, medianDays: 400 }, false, /2 have an expected stay, median 400 days\.$/],
])('a line marks the median expected stay (%s)', async (_, expected, drawn, words) => {
  open({ 'POST /api/patients/range-counts': [200, { ...COUNTED, expected }] });
  const chart = await screen.findByRole('img', { name: /^Most stays/ });
  expect(chart.textContent?.includes('Median expected: 18 days')).toBe(drawn);
  expect(screen.getByText(words)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'View table' }));
  const line = screen.queryByRole('row', { name: /^Median expected/ });
  expect(line?.textContent ?? null).toBe(expected.medianDays && `Median expected${expected.medianDays} days`);
});

test('too few expected stays make no median', async () => {
  const counts = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  open({ 'POST /api/patients/range-counts': [200, { counts, expected: { stays: 1, medianDays: 18 } }] });
  const chart = await screen.findByRole('img', { name: /^Most stays/ });
  expect(chart.textContent).not.toContain('Median');
  expect(screen.getByText(/1 has an expected stay, too few for a median\.$/)).toBeTruthy();
});

test('at midnight of the facility, the day and the days left advance by one without another request', async () => {
  const everyMinute: (() => void)[] = [];
  const { setInterval: real } = globalThis;
  vi.spyOn(globalThis, 'setInterval').mockImplementation((act: () => void, ms?: number) => {
    if (ms === 60_000) everyMinute.push(act);
    return real(act, ms);
  });
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T04:58:00Z') });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const due = at('1_2', 'Adler', 'Oak Hollow', { lengthOfStay: 17, expectedLengthOfStay: 18 });
  const { of } = open({ 'POST /api/patients/search': results({ patients: [due], total: 1 }) });
  const row = (await screen.findByRole('link', { name: /Adler/ })).closest('tr');
  const minute = (now: string): void => {
    vi.setSystemTime(new Date(now));
    act(() => {
      for (const tick of everyMinute) tick();
    });
  };
  minute('2026-11-22T04:59:30Z');
  expect(row?.textContent).toContain('Day 18');
  expect(row?.textContent).toContain('1 day left of 18');
  const asked = of('POST /api/patients/search').length;
  minute('2026-11-22T05:00:10Z');
  expect(row?.textContent).toContain('Day 19');
  expect(row?.textContent).toContain('On the expected day');
  expect(of('POST /api/patients/search')).toHaveLength(asked);
});

test('days on leave, which the length of a stay leaves out, are shown beside it', async () => {
  const stay = { ...ADA.currentPingEncounter, lengthOfStay: 23, leaveDays: 3 } as typeof ADA.currentPingEncounter;
  open({ 'POST /api/patients/search': results({ patients: [{ ...ADA, currentPingEncounter: stay }], total: 1 }) });
  const days = await screen.findByText('23 days so far');
  expect(days.parentElement?.textContent).toBe('Day 2423 days so far+ 3 days on leave');
});
