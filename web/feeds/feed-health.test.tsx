import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { FeedHealth } from '#contract/feed-health.ts';
import type { Feed, Message, SettingsTrial } from '#contract/feeds.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { FEED_STATE_LOOKS, stateLook } from './health-words.ts';

liveStream();
beforeEach(() => {
  HTMLElement.prototype.hidePopover = () => {};
});

const HEALTH: FeedHealth = {
  id: '3',
  state: 'SILENT',
  silentSince: '2026-11-20T15:00:00Z',
  silentFacilities: [],
  lastDay: 12,
  usualDay: 240,
  delayMinutes: 5,
  missingFields: 1,
  unmappedCodes: 1,
  usualSinceLast: [22, 30, 41],
  delays: [
    { withinMinutes: 5, messages: 30 },
    { withinMinutes: null, messages: 10 },
  ],
  fields: [
    { field: 'PID-11', messages: 40, missing: 20 },
    { field: 'PID-7', messages: 40, missing: 0 },
  ],
  codes: [{ field: 'PV1-2', code: 'ZZ', messages: 4 }],
  hours: [
    { hour: '2026-11-20T14:00:00Z', messages: 12 },
    { hour: '2026-11-20T15:00:00Z', messages: 0 },
  ],
};
const {
  id: _id,
  usualSinceLast: _usual,
  delays: _delays,
  fields: _fields,
  codes: _codes,
  hours: _hours,
  ...SUMMARY
} = HEALTH;
const FEED: Feed = {
  id: '3',
  name: 'Mercy ADT',
  kind: 'MLLP',
  organizationName: 'Mercy',
  sendingApplication: 'MGH',
  sendingFacility: null,
  timeZone: 'America/New_York',
  seenDates: { MDY: 0, DMY: 0, EITHER: 0 },
  hasUnreadDates: false,
  pausedAt: null,
  lastMessageAt: '2026-11-20T15:00:00Z',
  receivedToday: 12,
  quarantined: 1,
  facilities: [{ identifier: 'MGH', groupId: '8', groupName: 'Mercy General' }],
  health: SUMMARY,
  suggestedCodes: [],
  approvedAt: '2026-11-01T15:00:00Z',
  waiting: null,
};
const MESSAGE: Message = {
  id: '90',
  feedId: '3',
  feedName: 'Mercy ADT',
  receivedAt: '2026-11-20T15:00:00Z',
  controlId: 'C-90',
  messageType: 'ADT^A01',
  sendingApplication: 'MGH',
  sendingFacility: '',
  status: 'QUARANTINED',
  reason: 'PID-3 is empty',
  bytes: 300,
  processedAt: '2026-11-20T15:00:01Z',
  reportedByLink: null,
  patient: { id: '12_44', name: 'Thistlewood, Maren' },
  dismissal: null,
};

const open = async (answers: Parameters<typeof serve>[0] = {}) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canManageUsers', 'canViewPatients'] })],
    'GET /api/feeds': [200, [FEED]],
    'GET /api/feeds/unknown-senders': [200, []],
    'GET /api/feeds/refused-senders': [200, []],
    'GET /api/feeds/3/health': [200, HEALTH],
    'GET /api/feeds/messages': [200, { messages: [MESSAGE], total: 1, numPages: 1 }],
    'GET /api/feeds/messages/90': [200, { ...MESSAGE, text: 'MSH|' }],
    'GET /api/patient-search-params': [200, []],
    ...answers,
  });
  const router = openApp('/dashboard/feeds');
  await screen.findByRole('region', { name: 'Feeds' });
  return Object.assign(called, { router });
};
const goTo = (view: string) => userEvent.click(screen.getByText(view, { exact: true }));

test.each([
  [9600, 240, 'More than usual'],
  [60, 240, 'Fewer than usual'],
  [700, 240, 'As usual'],
  [40, 5, 'As usual'],
  [9600, null, 'As usual'],
])('a feed that is heard with %i messages a day, usually %s, is "%s"', (lastDay, usualDay, label) => {
  expect(stateLook({ ...SUMMARY, state: 'HEARD', silentSince: null, lastDay, usualDay }).label).toBe(label);
});

test('operators see which address without a feed sent too much, and what to do', async () => {
  const refused = { address: '203.0.113.7', refused: 1200, lastRefusedAt: '2026-11-20T15:00:00Z' };
  await open({ 'GET /api/feeds/refused-senders': [200, [refused]] });
  const unknown = (await screen.findByText(/203\.0\.113\.7/)).closest('section') as HTMLElement;
  expect(unknown.textContent).toMatch(/203\.0\.113\.7: 1,200 messages not stored, last 11\/20\/2026 10:00 AM/);
  expect(unknown.textContent).toContain('Set up a feed if you know the sender');
});

test('the list says that a feed is silent, how much usually comes, and what is wrong with its messages', async () => {
  await open();
  const row = screen.getByRole('row', { name: /Mercy ADT/ });
  expect(row.textContent).toMatch(/Silent since 11\/20\/2026/);
  expect(row.textContent).toContain('12 in 24 h, usually 240 · Half arrive within 5 min');
  expect(row.textContent).toContain('1 field often missing · 1 code without a mapping');
  await userEvent.click(within(row).getByRole('button', { name: 'Health of Mercy ADT' }));
  const drawer = await screen.findByRole('dialog', { name: 'Health of Mercy ADT' });
  expect(await within(drawer).findByText(/In the same hours of earlier weeks there were 22 to 41/)).toBeTruthy();
  expect(
    within(drawer).getByText('12 new messages in this hour and the 23 before it, usually about 240.'),
  ).toBeTruthy();
  expect(within(drawer).getByText('Most in an hour: 12')).toBeTruthy();
  expect(within(drawer).getByText(/^12 new messages in the last 2 whole hours, .* is left out here/)).toBeTruthy();
  await userEvent.click(within(drawer).getByText('View table'));
  expect(within(drawer).getByRole('table', { name: 'Messages by hour' }).textContent).toMatch(
    /^Hour beginningNew messages11\/20\/2026 .*011\/20\/2026 .*12$/,
  );
  expect(within(drawer).getByRole('table', { name: 'Missing fields' }).textContent).toBe(
    'FieldMissingShareZIP code (PID-11)20 of 4050%',
  );
  expect(within(drawer).getByRole('table', { name: 'Codes without a mapping' }).textContent).toContain('ZZ (PV1-2)4');
  expect(within(drawer).getByRole('table', { name: 'Delay' }).textContent).toContain('later than a day1025%');
});

test('a silent facility of a feed that is heard from is named', () => {
  const silentFacilities = [{ facilityName: 'Mercy Annex', since: '2026-11-20T15:00:00Z' }];
  const heard: FeedHealth = { ...HEALTH, state: 'HEARD', silentSince: null, lastDay: 230 };
  expect(stateLook(heard).label).toBe(FEED_STATE_LOOKS.HEARD.label);
  expect(stateLook({ ...heard, silentFacilities })).toEqual({ ...FEED_STATE_LOOKS.SILENT, label: '1 facility silent' });
});

test('a pasted message is explained in words', async () => {
  const preview: RouteAnswer<'POST /api/feeds/preview'> = {
    outcome: 'facts',
    reason: 'Created: admission',
    facilityName: 'Mercy General',
    matching: null,
    events: [{ change: 'added', status: 'ADMIT', eventDate: '2026-11-20T15:00:00Z' }],
    recipients: null,
  };
  const called = await open({ 'POST /api/feeds/preview': [200, preview] });
  await goTo('Try a message');
  await userEvent.click(await screen.findByRole('button', { name: 'Show what it would do' }));
  expect(await screen.findByText('Paste a message that begins with MSH.')).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'MSH|x');
  await userEvent.click(screen.getByRole('button', { name: 'Show what it would do' }));
  const result = (await screen.findByRole('heading', { name: 'What it would do' })).closest('section') as HTMLElement;
  expect(result.textContent).toContain('Would be appliedCreated: admissionFacility: Mercy General');
  expect(result.textContent).toMatch(/Would add: Admitted, 11\/20\/2026/);
  expect(result.textContent).toContain('Only operators see');
  expect(called.find(({ route }) => route === 'POST /api/feeds/preview')?.body).toEqual({ feedId: '3', text: 'MSH|x' });
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(screen.queryByText('Created: admission')).toBe(null);
});

test('the view, the filters of messages and an open message are in the address, so that reload and Back keep them', async () => {
  const { router } = await open();
  await goTo('Messages');
  await userEvent.selectOptions(await screen.findByLabelText('Status'), 'QUARANTINED');
  await waitFor(() => expect(router.location.search).toEqual({ view: 'messages', status: 'QUARANTINED' }));
  await userEvent.type(screen.getByLabelText('Control ID (MSH-10)'), '0090{Tab}');
  await waitFor(() => expect(router.location.search).toMatchObject({ control: '0090' }));
  await userEvent.click((await screen.findByRole('row', { name: /C-90/ })).querySelector('button') as HTMLElement);
  await screen.findByRole('button', { name: 'Dismiss…' });
  act(() => router.history.back());
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Dismiss…' })).toBeNull());
  expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('QUARANTINED');
  const { href } = router.location;
  cleanup();
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canManageUsers', 'canViewPatients'] })],
    'GET /api/feeds': [200, [FEED]],
    'GET /api/feeds/messages': [200, { messages: [MESSAGE], total: 1, numPages: 1 }],
  });
  openApp(href);
  expect((await screen.findByLabelText<HTMLInputElement>('Control ID (MSH-10)')).value).toBe('0090');
  const { query } = called.find(({ route }) => route === 'GET /api/feeds/messages') ?? {};
  expect(query?.get('status')).toBe('QUARANTINED');
  expect(query?.get('controlId')).toBe('0090');
});

test('a quarantined message is dismissed with a reason, and that is undone', async () => {
  const dismissal = {
    cause: 'OTHER',
    note: 'Closed ward',
    dismissedAt: '2026-11-20T16:00:00Z',
    dismissedBy: 'Hedda Quill',
  };
  const dismissed = { ...MESSAGE, status: 'NOT_ACTED_ON', reason: 'Dismissed: Other reason', dismissal };
  let now: object = MESSAGE;
  const called = await open({
    'GET /api/feeds/messages/90': () => [200, { ...now, text: 'MSH|' }],
    'POST /api/feeds/messages/90/dismiss': () => {
      now = dismissed;
      return [200, dismissed];
    },
    'POST /api/feeds/messages/90/undismiss': () => {
      now = MESSAGE;
      return [200, MESSAGE];
    },
  });
  await goTo('Messages');
  expect(await screen.findByRole('link', { name: 'Thistlewood, Maren' })).toHaveProperty(
    'pathname',
    '/dashboard/patients/12_44',
  );
  await userEvent.click((await screen.findByRole('row', { name: /C-90/ })).querySelector('button') as HTMLElement);
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Dismiss this message' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Dismiss message' }));
  expect(within(dialog).getByText('Choose a reason.')).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Other reason' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Dismiss message' }));
  expect(within(dialog).getByText('Say why.')).toBeTruthy();
  await userEvent.type(within(dialog).getByLabelText('Note'), 'Closed ward');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Dismiss message' }));
  expect(await screen.findByText(/“Closed ward” Hedda Quill, 11\/20\/2026/)).toBeTruthy();
  expect(called.find(({ route }) => route.endsWith('/dismiss'))?.body).toEqual({ cause: 'OTHER', note: 'Closed ward' });
  await userEvent.click(screen.getByRole('button', { name: 'Undo dismissal' }));
  expect(await screen.findByRole('button', { name: 'Dismiss…' })).toBeTruthy();
});

test('changed settings are tried before they are saved', async () => {
  const trial: SettingsTrial = {
    since: '2026-11-13T15:00:00Z',
    tried: 5000,
    total: 6200,
    changed: 12,
    changes: [
      {
        what: 'setting',
        before: 'UNKNOWN',
        after: 'OBSERVATION',
        messages: 12,
        examples: [{ messageId: '90', controlId: 'C-90', receivedAt: '2026-11-20T15:00:00Z' }],
      },
    ],
  };
  const called = await open({
    'GET /api/admin/feeds/3/settings': [
      200,
      {
        name: 'Mercy ADT',
        sendingApplication: 'MGH',
        sendingFacility: null,
        settings: {},
        facilities: [{ identifier: 'MGH', groupId: '8', registrationIsVisit: false }],
        isBackfill: false,
        isWaiting: false,
        version: '1',
      },
    ],
    'GET /api/admin/feeds/3/outpatient-codes': [200, { since: '2026-10-01', codes: [] }],
    'GET /api/admin/directory': [200, { groups: [], teams: [] }],
    'POST /api/feeds/3/try-settings': [200, trial],
  });
  await userEvent.click(screen.getByRole('button', { name: 'Settings for Mercy ADT' }));
  // The drawer that waits for the settings is another one.
  const attempt = await screen.findByRole('button', { name: "Try on last week's messages" });
  const drawer = screen.getByRole('dialog', { name: 'Settings for Mercy ADT' });
  await userEvent.click(attempt);
  const words = 'Of the newest 5,000 of 6,200 messages since 11/13/2026, 12 would read differently:';
  expect(await within(drawer).findByText(words)).toBeTruthy();
  expect(within(drawer).getByRole('region', { name: 'Try these settings' }).textContent).toContain(
    'Setting (PV1-2): Unknown → Observation (12 messages)Such as C-90',
  );
  expect(called.find(({ route }) => route.endsWith('try-settings'))?.body).toHaveProperty('facilities');
  await userEvent.type(within(drawer).getByRole('combobox', { name: 'Time zone' }), 'chicago{Enter}');
  expect(await within(drawer).findByText('The settings have changed since. Try them again.')).toBeTruthy();
  expect(within(drawer).queryByText(words)).toBe(null);
});
