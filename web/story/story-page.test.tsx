import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { detailsWith, patientWith, pingWith, visitWith } from '../testing/patients.ts';

const { tell } = liveStream();
const me = somebody({}, { permissions: ['canViewPatients'] });
const patient = patientWith();
const visits = [visitWith()];
const page = (encounters = visits, total = encounters.length) => ({
  encounters,
  total,
  numPages: Math.ceil(total / 10),
  facilities: [{ id: '7', name: 'Mercy General Hospital' }],
});

const serveStory = (over: Parameters<typeof serve>[0] = {}) =>
  serve({
    'GET /api/me': [200, me],
    'GET /api/patients/1_2': [200, patient],
    'GET /api/patients/1_2/encounters': [200, page()],
    'GET /api/patients/1_2/diagnosis-summary': [200, []],
    ...over,
  });

const visitOf = (name: RegExp) => screen.findByRole('article', { name });

test.each([
  [true, [], 'Unavailable'],
  [true, ['Medicare'], 'Medicare'],
  [false, [], "You don't have access"],
])('with details visible %o, the payers %o are shown as "%s"', async (detailsVisible, payors, shown) => {
  serveStory({
    'GET /api/patients/1_2': [200, patientWith({ detailsVisible })],
    'GET /api/patients/1_2/encounters': [200, page([visitWith({ payors })])],
  });
  openApp('/dashboard/patients/1_2');
  const payer = await screen.findByText('Payer');
  expect(payer.nextElementSibling?.textContent).toBe(shown);
});

test.each([
  ['1_9', 404, 'NOT_FOUND'],
  ['abc', 400, 'BAD_REQUEST'],
] as const)('there is no patient with the id %s', async (id, status, errorKey) => {
  serve({ 'GET /api/me': [200, me], [`GET /api/patients/${id}`]: [status, { errorKey }] });
  openApp(`/dashboard/patients/${id}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Patient not found' })).toBeTruthy();
});

test('an ED visit begins with the arrival, a stay with the admission, and a death ends it', async () => {
  const died = pingWith({ status: 'DECEASED', eventIdentifier: '42', eventDate: '2026-11-22T15:42:00Z' });
  serveStory({
    'GET /api/patients/1_2/encounters': [
      200,
      page([
        visitWith({
          id: '3',
          status: 'FINISHED',
          dischargedDate: '2026-11-22T15:42:00Z',
          endPing: died,
          events: [died],
        }),
        visitWith({ id: '2', setting: 'EMERGENCY', kind: 'ED' }),
      ]),
    ],
  });
  openApp('/dashboard/patients/1_2');
  expect((await visitOf(/^Emergency · Mercy General Hospital/)).textContent).toContain(
    'Arrived 11/21/2026 10:42 AM ET · still there',
  );
  const stay = await visitOf(/^Inpatient · Mercy General Hospital/);
  expect(stay.textContent).toContain('Admitted 11/21/2026 10:42 AM ET · Died 11/22/2026 10:42 AM ET');
  expect(within(stay).getByText('Deceased')).toBeTruthy();
});

test('nobody who died is still there, and a death that was only reported is no visit', async () => {
  const died = pingWith({ status: 'DECEASED', eventIdentifier: '42', eventDate: '2026-11-22T15:42:00Z' });
  serveStory({
    'GET /api/patients/1_2': [200, patientWith({ deceased: true, deceasedDate: '2026-11-22' })],
    'GET /api/patients/1_2/encounters': [
      200,
      page([
        visitWith({
          id: '3',
          setting: 'UNKNOWN',
          kind: 'OTHER',
          status: 'FINISHED',
          admittedDate: null,
          dischargedDate: '2026-11-22T15:42:00Z',
          endPing: died,
          events: [died],
        }),
        visitWith({ id: '2' }),
      ]),
    ],
  });
  openApp('/dashboard/patients/1_2');
  expect((await visitOf(/^Inpatient/)).textContent).toContain(
    'Admitted 11/21/2026 10:42 AM ET · patient died 11/22/2026, no discharge sent',
  );
  const notice = await visitOf(/^Death reported · Mercy General Hospital/);
  expect(notice.textContent).toContain('Died 11/22/2026 10:42 AM ET');
  expect(within(notice).queryByText('Admitted', { exact: false })).toBeNull();
  expect(within(notice).queryByText('Payer')).toBeNull();
});

test.each([
  ['1', 'Emergency'],
  ['l', 'Labor and delivery'],
  ['ELX', 'ELX'],
])('the admission type %s is shown as %s', async (admissionType, shown) => {
  serveStory({ 'GET /api/patients/1_2/encounters': [200, page([visitWith({ admissionType })])] });
  openApp('/dashboard/patients/1_2');
  expect(await screen.findByText(`Admission type: ${shown}`)).toBeTruthy();
});

test('thirty diagnoses of a visit show five until the rest is asked for', async () => {
  const allEncounterDiagnoses = Array.from({ length: 30 }, (_, n) => ({
    synonym: `Invented condition ${n}`,
    fullCode: `A${n}`,
    mainCode: `A${n}`,
    parentCode: null,
    type: 'F' as const,
    codeSystem: null,
  }));
  serveStory({ 'GET /api/patients/1_2/encounters': [200, page([visitWith({ allEncounterDiagnoses })])] });
  openApp('/dashboard/patients/1_2');
  const visit = await visitOf(/^Inpatient/);
  expect(within(visit).getAllByText(/^Invented condition/)).toHaveLength(5);
  await userEvent.click(within(visit).getByRole('button', { name: 'Show 25 more diagnoses' }));
  expect(within(visit).getAllByText(/^Invented condition/)).toHaveLength(30);
});

test('a kind of visit and older visits are asked for, five at a time', async () => {
  const calls = serveStory({
    'GET /api/patients/1_2/encounters': ({ query }) => [
      200,
      query.get('kind') ? page([], 0) : page([visitWith({ id: query.get('pageNumber') ?? '' })], 12),
    ],
  });
  openApp('/dashboard/patients/1_2');
  await userEvent.click(await screen.findByRole('button', { name: 'Show older visits (11)' }));
  await screen.findByRole('button', { name: 'ED' });
  await expect.poll(() => screen.getAllByRole('article')).toHaveLength(2);
  const asked = calls
    .filter(({ route }) => route === 'GET /api/patients/1_2/encounters')
    .map(({ query }) => [query.get('pageNumber'), query.get('pageSize')]);
  expect(asked).toEqual([
    ['1', '5'],
    ['2', '5'],
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'ED' }));
  expect(await screen.findByText('No visits match. Choose "All".')).toBeTruthy();
});

test('the stay has the labels of the specification, and says what nobody sent', async () => {
  const listings = [
    {
      rosterPatientId: '1',
      groupId: '7',
      groupName: 'Mercy',
      groupType: 'HOS' as const,
      memberId: 'MR7',
      leftAt: null,
    },
  ];
  const missing = { attendingProvider: null, pointOfCare: null, room: null, bed: null };
  const stay = visitWith(missing);
  // Whoever views pings alone may open the patient of one, and sees its visit.
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings'] })],
    'GET /api/patients/1_2': [200, detailsWith({ listings, currentPingEncounter: stay })],
  });
  openApp('/dashboard/patients/1_2');
  const valueOf = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent;
  expect(await valueOf('Hospital')).toBe('Mercy General Hospital');
  expect(await valueOf('Managing Provider')).toBe('Unavailable');
  expect(await valueOf('Unit, room, bed')).toBe('No Information Provided');
  expect(await valueOf('EHR')).toBe('Mercy · MR7');
  expect((await screen.findByText('MRN')).nextElementSibling?.textContent).toBe('MR7');
});

const ended = [404, { errorKey: 'NOT_FOUND' }] as [number, unknown];

test('what may no longer be read leaves the page with the first refusal, however many events come', async () => {
  const open = Promise.withResolvers<void>();
  let isRefused = false;
  const called = serveStory({
    'GET /api/patients/1_2': async () => {
      if (isRefused) await open.promise;
      return isRefused ? ended : [200, patient];
    },
  });
  openApp('/dashboard/patients/1_2');
  await visitOf(/^Inpatient/);
  const calls = () => called.filter(({ route }) => route === 'GET /api/patients/1_2').length;
  const before = calls();
  isRefused = true;
  for (let event = 0; event < 20; event += 1) tell('rows');
  await expect.poll(calls).toBe(before + 1);
  open.resolve();
  expect(await screen.findByText('Patient not found')).toBeTruthy();
  expect(screen.queryByRole('article')).toBeNull();
  expect(queryClient.getQueryData(['patient', '1_2'])).toBeUndefined();
  expect(queryClient.getQueriesData({ queryKey: ['visits'] }).flatMap(([, data]) => data ?? [])).toEqual([]);
  expect(calls()).toBeLessThanOrEqual(before + 2);
});

test('a visit that may not be read leads to the patient whom the team lists, on the latest visit that may', async () => {
  const latest = { ...page(), encounters: [visitWith({ id: '3' })] };
  serveStory({
    'GET /api/patients/1_9': ended,
    'GET /api/patients/1_0': [200, patientWith({ id: '1_0' })],
    'GET /api/patients/1_0/encounters': [200, latest],
    'GET /api/patients/1_3': [200, patientWith({ id: '1_3' })],
    'GET /api/patients/1_3/encounters': [200, latest],
  });
  const { history } = openApp('/dashboard/patients/1_9');
  await visitOf(/^Inpatient/);
  await expect.poll(() => history.location.href).toBe('/dashboard/patients/1_3');
});

test.each(['abc', '999999_0'])(
  'from the patient %s, who does not exist, a button and Esc lead back to the list',
  async (id) => {
    serve({ 'GET /api/me': [200, me] });
    const { history } = openApp(`/dashboard/patients/${id}`);
    expect(await screen.findByRole('button', { name: 'Back to the list' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => history.location.href).toBe('/dashboard/patients/my-patients');
  },
);

test('the story of a removed patient says so', async () => {
  const stay = visitWith({ status: 'CANCELLED' });
  serveStory({ 'GET /api/patients/1_2': [200, detailsWith({ listings: [], currentPingEncounter: stay })] });
  openApp('/dashboard/patients/1_2');
  const words = 'Patient was removed because they have no more encounters at your facility.';
  expect(await screen.findByText(words)).toBeTruthy();
});

test('an event and its receipt are timed in the same zone', async () => {
  const facility = { ...pingWith().facility, timeZone: 'America/Los_Angeles' };
  const ping = pingWith({ facility, eventDate: '2026-11-21T15:42:00Z', createdDate: '2026-11-21T15:43:00Z' });
  serveStory({ 'GET /api/patients/1_2': [200, patientWith({ currentPing: ping })] });
  openApp('/dashboard/patients/1_2');
  expect((await screen.findByText(/^Received/)).textContent).toContain('Received 11/21/2026 07:43 AM PT');
});

test('the size of the community of care is called what it is', async () => {
  serveStory({ 'GET /api/patients/1_2': [200, detailsWith()] });
  openApp('/dashboard/patients/1_2');
  expect(await screen.findByText('Community size')).toBeTruthy();
  expect(screen.queryByText('With other teams')).toBeNull();
});

test('a patient with home health alone has no visits besides it', async () => {
  const facility = pingWith().facility;
  const coverage = { id: '5', agency: facility, startDate: '2026-11-19T15:00:00Z', endDate: null, duration: '8 days' };
  serveStory({
    'GET /api/patients/1_2/encounters': [200, page([])],
    'GET /api/patients/1_2/hha-coverage': [200, { coverages: [coverage], total: 1, numPages: 1 }],
  });
  openApp('/dashboard/patients/1_2');
  expect(await screen.findByText('No visits besides home health.')).toBeTruthy();
});

test('a ping that a consent released later says when it came, and how soon the facility had reported the event', async () => {
  const ping = pingWith({ eventDate: '2026-11-19T15:42:00Z', createdDate: '2026-11-21T15:43:00Z', entryDelay: 2 });
  serveStory({ 'GET /api/patients/1_2': [200, patientWith({ currentPing: ping })] });
  openApp('/dashboard/patients/1_2');
  expect((await screen.findByText(/^Received/)).textContent).toBe(
    'Received 11/21/2026 10:43 AM ET. The facility reported it 2 minutes after the event',
  );
});
