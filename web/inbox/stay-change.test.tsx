import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ManagementStatus } from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../testing/patients.ts';

liveStream();

const record = (id: string, status: ManagementStatus): Ping['currentManagementStatus'] => ({
  id,
  status,
  resolutions: [],
  otherText: null,
  username: 'ana@lakeshore.example',
  displayName: null,
  date: '2026-11-21T15:45:00Z',
});
const admitted = pingWith({ id: '31', eventIdentifier: '41', currentManagementStatus: record('5', 'IN_PROGRESS') });
const payer = pingWith({ id: '32', eventIdentifier: '42', status: 'PAYOR_CHANGE', reason: null });
const moved = pingWith({
  id: '33',
  eventIdentifier: '43',
  status: 'TRANSFER',
  reason: null,
  currentManagementStatus: record('4', 'RESOLVED'),
});
const pings = [payer, moved, admitted];
const card = cardWith(pings, {
  headline: { eventIdentifier: '41', reason: admitted.reason },
  unread: ['42'],
  reopened: { date: '2026-11-21T15:43:00Z', closedBy: 'kofi@lakeshore.example', why: null },
});
const patient = patientWith({ currentPing: payer, currentPingEncounter: { ...encounterWith(payer), pings }, card });

/** What the answer of the list waits for. */
let listed = (): Promise<void> => Promise.resolve();

/** What answers to changes wait for. */
let hold = (): Promise<void> => Promise.resolve();

/** Opens the inbox with the stay open, and returns what is sent to the routes of statuses. */
const openStay = (shown = patient, saved: [ManagementStatus, ManagementStatus] = ['RESOLVED', 'RESOLVED']) => {
  setWidth(1440);
  const path = '/api/patients/1_2/events';
  let next = 10;
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patients/1_2': [200, shown],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': async () => {
      await listed();
      return [200, { patients: [shown], total: 1, numPages: 1, facets: [] }];
    },
    [`POST ${path}/seen`]: [204],
    [`POST ${path}/management-status`]: async ({ body }: { body: unknown }) => {
      await hold();
      next += 1;
      return [200, { ...record(String(next), 'RESOLVED'), ...(body as object) }];
    },
    [`POST ${path}/management-status/bulk`]: [
      200,
      ['42', '41'].map((eventIdentifier, n) => ({
        eventIdentifier,
        ...record(String(20 + n), saved[n] ?? 'RESOLVED'),
      })),
    ],
    [`POST ${path}/management-status-history`]: [200, []],
  });
  openApp('/dashboard/home/inbox?sel=1_2');
  return (route: string) => called.filter((one) => one.route === `POST ${path}/${route}`).map(({ body }) => body);
};

const resolve = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  const first: HTMLInputElement = await screen.findByRole('checkbox', { name: 'Contacted patient' });
  await userEvent.type(first, '1', { skipClick: true });
  expect(first.checked).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
};

test('a row is headed by the admission, has the status of the stay, and says what is newer and that it was reopened', async () => {
  openStay();
  const row = await within(await screen.findByRole('list', { name: 'Pings' })).findByRole('link');
  expect(row.textContent).toContain('Admitted — Inpatient');
  expect(row.textContent).toContain('Readmitted 12 days after discharge on 11/08/2026');
  expect(row.textContent).toContain('3 pings');
  expect(row.textContent).toContain('Payor Change ');
  expect(row.textContent).toContain('Reopened');
  expect(row.getAttribute('aria-label')).toContain('Reopened.');
});

test('opening a stay notes that its pings were seen, and marks what was new', async () => {
  const sent = openStay();
  expect(await screen.findByText('New to you')).toBeTruthy();
  await waitFor(() => expect(sent('seen')).toEqual([{ until: payer.createdDate }]));
  const row = within(screen.getByRole('list', { name: 'Pings' })).getByRole('link');
  await waitFor(() => expect(row.getAttribute('aria-label')).not.toContain('Unread.'));
  expect(screen.getByText('New to you')).toBeTruthy();
});

test('a list that comes after it was noted that the pings were seen has them unread no more', async () => {
  const list = Promise.withResolvers<void>();
  listed = () => list.promise;
  const sent = openStay();
  await waitFor(() => expect(sent('seen')).toHaveLength(1));
  list.resolve();
  listed = () => Promise.resolve();
  const row = await within(await screen.findByRole('list', { name: 'Pings' })).findByRole('link');
  await waitFor(() => expect(row.getAttribute('aria-label')).not.toContain('Unread.'));
});

test('the details name the event that opened a closed stay again', async () => {
  openStay();
  expect(await screen.findByText(/^Reopened .* by a new event: Payor Change\./)).toBeTruthy();
});

test('resolving is about all open pings of the stay, and undo restores the status of each', async () => {
  const sent = openStay();
  expect(await screen.findByText(/Changes apply to both open pings of this stay/)).toBeTruthy();
  await resolve();
  await screen.findByText('OKONKWO-REYES: Resolved (2 pings).');
  expect(sent('management-status/bulk')).toMatchObject([
    { status: 'RESOLVED', eventIdentifiers: ['42', '41'], expectedStatusIds: ['0', '5'] },
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent('management-status')).toHaveLength(2));
  expect(sent('management-status')).toMatchObject([
    { eventIdentifier: '42', status: 'NEW', expectedStatusId: '20' },
    { eventIdentifier: '41', status: 'IN_PROGRESS', expectedStatusId: '21' },
  ]);
});

test('what the server dismissed because its sender retracted it is not called resolved', async () => {
  openStay(patient, ['DISMISSED', 'RESOLVED']);
  await screen.findByText(/Changes apply to both open pings of this stay/);
  await resolve();
  await screen.findByText('OKONKWO-REYES: Resolved (1 ping; 1 retracted ping dismissed).');
});

test('a ping that was selected in the stay is changed alone', async () => {
  const sent = openStay();
  await userEvent.click(await screen.findByRole('button', { name: /^Payor Change/ }));
  expect(await screen.findByText(/Changes apply only to this ping/)).toBeTruthy();
  await resolve();
  await screen.findByText('OKONKWO-REYES: Resolved.');
  expect(sent('management-status')).toMatchObject([{ eventIdentifier: '42', expectedStatusId: '0' }]);
  expect(sent('management-status/bulk')).toEqual([]);
  expect(within(screen.getByRole('list', { name: 'Pings' })).getByRole('link')).toBeTruthy();
});

test('a change that follows another one before its answer is sent after it, about the record that it makes', async () => {
  const sent = openStay();
  const answers: (() => void)[] = [];
  hold = () => new Promise((resolve) => answers.push(resolve));
  await userEvent.click(await screen.findByRole('button', { name: /^Payor Change/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Mark in progress' }));
  await userEvent.keyboard('e');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Contacted patient' }));
  await userEvent.click(screen.getAllByRole('button', { name: 'Resolve' }).at(-1) as HTMLElement);
  expect(sent('management-status')).toHaveLength(1);
  hold = () => Promise.resolve();
  for (const answer of answers) answer();
  await waitFor(() => expect(sent('management-status')).toHaveLength(2));
  expect(sent('management-status')).toMatchObject([
    { status: 'IN_PROGRESS', expectedStatusId: '0' },
    { status: 'RESOLVED', expectedStatusId: '11' },
  ]);
});

test('a stay that is headed by a closed ping says which one is still open', async () => {
  const closed = { ...admitted, currentManagementStatus: record('6', 'RESOLVED') };
  const stay = [payer, closed];
  openStay({
    ...patient,
    currentPingEncounter: { ...encounterWith(payer), pings: stay },
    card: cardWith(stay, { headline: { eventIdentifier: '41', reason: null } }),
  });
  expect(await screen.findByText(/Still open in this stay: Payor Change\. Changes apply to it\./)).toBeTruthy();
});

test('an open ping of an event that the sender took back is named as canceled, and can only be dismissed', async () => {
  const closed = { ...admitted, currentManagementStatus: record('6', 'RESOLVED') };
  const stay = [{ ...payer, status: 'DECEASED' as const, state: 'CANCELLED' as const }, closed];
  const sent = openStay({
    ...patient,
    currentPingEncounter: { ...encounterWith(closed), pings: stay },
    card: cardWith(stay, {
      headline: { eventIdentifier: '41', reason: null },
      reopened: {
        date: '2026-11-21T15:43:00Z',
        closedBy: 'Kofi Owusu',
        why: 'The sender retracted the event.',
      },
    }),
  });
  expect(
    await screen.findByText(/Still open in this stay: Deceased \(canceled\)\. Changes apply to it\./),
  ).toBeTruthy();
  expect(screen.getByText(/The sender retracted the event\. Closed before that by Kofi Owusu\./)).toBeTruthy();
  // Taking it, assigning it and letting it wait stay: someone has to work on it.
  expect(
    screen.getByText("The sender retracted what is still open. It can't be resolved, only dismissed."),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Take it' })).toBeTruthy();
  await userEvent.keyboard('e');
  for (const name of ['Resolve', 'Mark in progress', 'Status'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() =>
    expect(sent('management-status')).toMatchObject([{ eventIdentifier: '42', status: 'DISMISSED' }]),
  );
});

test('the stay of a retracted admission says so where it gives the time of the admission', async () => {
  const retracted = { ...admitted, state: 'CANCELLED' as const };
  const stay = { ...encounterWith(retracted), status: 'CANCELLED' as const, admittedDate: '2026-11-20T14:00:00Z' };
  openStay({ ...patient, currentPing: retracted, currentPingEncounter: stay, card: cardWith([retracted]) });
  const section = (await screen.findByRole('heading', { name: 'This stay' })).parentElement as HTMLElement;
  const time = within(section).getByText('Admitted').nextElementSibling;
  expect(time?.textContent).toMatch(/^11\/20\/2026 .* Canceled$/);
  expect(time?.querySelector('s')?.textContent).toContain('11/20/2026');
});

test('an amended event says what it was before', async () => {
  const was = { eventDate: '2026-11-21T15:30:00Z', setting: 'EMERGENCY' as const, dischargedTo: null };
  const amended = { ...admitted, state: 'AMENDED' as const, was };
  openStay({
    ...patient,
    currentPing: amended,
    currentPingEncounter: encounterWith(amended),
    card: cardWith([amended]),
  });
  const before = await screen.findByText(/^Amended\. Before:/);
  expect(before.textContent).toMatch(/^Amended\. Before: Admitted — .*11\/21\/2026 10:30 AM/);
});
