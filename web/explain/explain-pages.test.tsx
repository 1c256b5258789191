import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { DischargeEvidence } from '#contract/evidence.ts';
import type { ExplainedMessage, PingExplanation } from '#contract/explanations.ts';
import { contactMissed } from '#contract/follow-up-words.ts';
import type { MissingPingFinding, MissingPings } from '#contract/missing-pings.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { detailsWith, pingWith } from '../testing/patients.ts';

const message: ExplainedMessage = {
  id: null,
  role: 'REPORTED',
  source: 'FEED',
  trigger: 'A03',
  controlId: 'MSG-1',
  sentDate: '2026-11-21T15:40:00Z',
  receivedDate: '2026-11-21T15:41:00Z',
  hash: 'ab'.repeat(32),
  outcome: 'Created: discharge',
  enteredBy: null,
  text: 'NOT_PERMITTED',
  facts: [{ label: 'Discharged', text: null, date: '2026-11-21T15:30:00Z' }],
};
const ping = pingWith({ status: 'DISCHARGE', eventDate: '2026-11-21T15:30:00Z', dischargedTo: 'Home', reason: null });
const explanation = (over: Partial<PingExplanation> = {}): PingExplanation => ({
  patientId: '1_2',
  ping,
  isMoved: false,
  receivedDate: '2026-11-21T15:41:00Z',
  messages: [message],
  stay: { startDate: '2026-11-18T15:00:00Z', endDate: '2026-11-21T15:30:00Z', diagnosis: 'Heart failure I50.9' },
  match: {
    how: 'AUTOMATIC',
    date: '2026-11-18T15:00:00Z',
    by: null,
    agreement: null,
    canTakeApart: false,
  },
  recipients: [
    {
      groupName: 'Riverbend ACO',
      groupType: 'PROGRAM',
      listedDate: '2026-01-03T15:00:00Z',
      leftDate: null,
      relationship: 'TREATMENT',
      opening: { how: 'ROSTER', date: '2026-01-03T15:00:00Z', from: '2025-01-03T15:00:00Z', by: 'Ama Osei' },
      sentDate: '2026-11-21T15:41:00Z',
      sentBecause: 'MESSAGE',
      consentDate: null,
    },
  ],
  notices: [
    { name: 'Ama Osei', channel: 'EMAIL', isCorrection: false, state: 'SENT', date: '2026-11-21T15:42:00Z' },
    { name: 'Ama Osei', channel: 'TEXT', isCorrection: false, state: 'FAILED', date: '2026-11-21T15:42:00Z' },
  ],
  readers: [{ name: 'Nadia Ross', firstDate: '2026-11-21T16:00:00Z', lastDate: '2026-11-21T16:00:00Z' }],
  ...over,
});

function open(
  path: string,
  answers: Record<string, [number, unknown?]>,
  permissions = ['canViewPings', 'canViewPatients'],
) {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/1_2': [200, detailsWith()],
    ...answers,
  });
  openApp(`/dashboard/patients/1_2${path}`);
  return called;
}
const section = async (name: string) =>
  within((await screen.findByRole('heading', { name })).parentElement as HTMLElement);

test('the explanation says in words what was sent and received, whom it is about, why this team, and who opened it', async () => {
  open('/events/41', { 'GET /api/patients/1_2/events/41/explanation': [200, explanation()] });
  const sent = await section('What the facility sent');
  expect(
    sent.getByText(
      'Mercy General Hospital sent a discharge (A03) 11/21/2026 10:40 AM ET, received 11/21/2026 10:41 AM ET.',
    ),
  ).toBeTruthy();
  expect((await section('Why this patient')).getByText(/matched automatically/)).toBeTruthy();
  expect(
    (await section('Why your team')).getByText(/The patient has been on its list since 01\/03\/2026/),
  ).toBeTruthy();
  const notified = await section('Who was notified, and who opened it');
  expect(
    notified.getByText('In the inbox for Riverbend ACO since 11/21/2026 10:41 AM ET, with the message.'),
  ).toBeTruthy();
  expect(notified.getByText('Ama Osei was notified by email 11/21/2026 10:42 AM ET.')).toBeTruthy();
  expect(
    notified.getByText('The notice to Ama Osei by text message 11/21/2026 10:42 AM ET could not be delivered.'),
  ).toBeTruthy();
  expect(notified.getByText('Nadia Ross opened the stay 11/21/2026 11:00 AM ET.')).toBeTruthy();
  expect((await section('Corrections since')).getByText('None. The event is as it was first reported.')).toBeTruthy();
});

test('a wrong match is taken apart by who may do so, after a question that says what follows; others read whom to tell', async () => {
  const match = { ...explanation().match, canTakeApart: true } as PingExplanation['match'];
  const called = open('/events/41', {
    'GET /api/patients/1_2/events/41/explanation': [200, explanation({ match })],
    'POST /api/patients/1_2/events/41/take-apart': [204],
  });
  const why = await section('Why this patient');
  await userEvent.click(why.getByRole('button', { name: 'Not the same person…' }));
  const question = within(await screen.findByRole('dialog', { name: 'Take this match apart?' }));
  expect(question.getByText(/Its pings are retracted for every team/)).toBeTruthy();
  await userEvent.click(question.getByRole('button', { name: 'Take apart' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(called.map(({ route }) => route)).toContain('POST /api/patients/1_2/events/41/take-apart');
  cleanup();
  open('/events/41', { 'GET /api/patients/1_2/events/41/explanation': [200, explanation()] });
  const told = await section('Why this patient');
  expect(told.getByText(/to an administrator of Mercy General Hospital or to Tidings support/)).toBeTruthy();
  expect(told.queryByRole('button')).toBeNull();
});

test('messages are folded; their text is offered only to those who may read it, and asked for when it is opened', async () => {
  open('/events/41', { 'GET /api/patients/1_2/events/41/explanation': [200, explanation()] });
  const sent = await section('What the facility sent');
  await userEvent.click(sent.getByRole('button', { name: 'Show the message' }));
  expect(sent.getByText('MSG-1')).toBeTruthy();
  expect(sent.queryByRole('button', { name: /message text/ })).toBeNull();
  cleanup();
  const called = open('/events/41', {
    'GET /api/patients/1_2/events/41/explanation': [
      200,
      explanation({ messages: [{ ...message, id: '77', text: 'READABLE' }] }),
    ],
    'GET /api/feeds/messages/77': [200, { text: 'MSH|^~\\&|A\rPID|1' }],
  });
  const shown = await section('What the facility sent');
  await userEvent.click(shown.getByRole('button', { name: 'Show the message' }));
  expect(called.map(({ route }) => route)).not.toContain('GET /api/feeds/messages/77');
  await userEvent.click(shown.getByRole('button', { name: /^Show message text/ }));
  expect(await shown.findByRole('region', { name: /^Message text/ })).toBeTruthy();
});

test('where the text is past its retention, the facts stay and the page says so', async () => {
  const messages = [{ ...message, text: 'NO_LONGER_STORED' as const }];
  open('/events/41', { 'GET /api/patients/1_2/events/41/explanation': [200, explanation({ messages })] });
  const sent = await section('What the facility sent');
  await userEvent.click(sent.getByRole('button', { name: 'Show the message' }));
  expect(sent.getByText("The message's text is past its retention. These facts were kept.")).toBeTruthy();
  expect(sent.getByText('Discharged')).toBeTruthy();
});

test('a correction, a cancel and a visit that is someone else’s are told', async () => {
  const canceled = { ...message, role: 'CANCELED' as const, trigger: 'A13', hash: 'cd'.repeat(32) };
  const retracted = { ...ping, state: 'CANCELLED' as const };
  open('/events/41', {
    'GET /api/patients/1_2/events/41/explanation': [
      200,
      explanation({ ping: retracted, messages: [message, canceled] }),
    ],
  });
  expect((await section('Corrections since')).getByText(/a message \(A13\) canceled it\./)).toBeTruthy();
  cleanup();
  open('/events/41', {
    'GET /api/patients/1_2/events/41/explanation': [
      200,
      explanation({ ping: retracted, isMoved: true, messages: [], stay: null }),
    ],
  });
  expect((await section('Why this patient')).getByText(/was matched to someone else/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Evidence packet' })).toBeNull();
});

test('a ping of another team is said to be missing', async () => {
  const refused = { status: 404, errorKey: 'NOT_FOUND', message: 'Not found', requestId: 'r' };
  open('/events/41', { 'GET /api/patients/1_2/events/41/explanation': [404, refused] });
  expect(await screen.findByText('Ping not found')).toBeTruthy();
});

const evidence: DischargeEvidence = {
  ...explanation(),
  clocks: [{ rule: 'TCM_CONTACT', due: '2026-11-24', outcome: 'MET', date: '2026-11-23T15:00:00Z', because: null }],
  isOwed: true,
  contactedStatus: null,
  windows: [{ rule: 'TRC_ENGAGEMENT', dueOn: '2026-12-21', soonOn: null, metAt: null, attempts: 0, state: 'DUE' }],
  statuses: [
    {
      id: '1',
      status: 'RESOLVED',
      resolutions: ['OTHER'],
      username: 'nadia@lakeshore.example',
      displayName: 'Nadia Ross',
      otherText: 'Called the daughter',
      date: '2026-11-23T15:05:00Z',
    },
  ],
  attempts: [
    {
      id: '1',
      attemptedAt: '2026-11-23T15:00:00Z',
      recordedDate: '2026-11-23T15:04:00Z',
      removedDate: null,
      channel: 'CALL',
      outcome: 'REACHED',
      note: '',
      by: 'Nadia Ross',
    },
  ],
};

test('the evidence has times with their zone, acts in order, the clock with its outcome, and the messages’ hashes; printing is recorded', async () => {
  const called = open('/events/41/evidence', {
    'GET /api/patients/1_2/events/41/evidence': [200, evidence],
    'POST /api/prints': [204],
  });
  const acts = within(await screen.findByRole('table', { name: 'Who did what' }));
  expect(acts.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'WhenWhoWhat',
    '11/23/2026 10:00 AM ETNadia RossCall: Reached the patient or a caregiver. Recorded 11/23/2026 10:04 AM ET',
    '11/23/2026 10:05 AM ETNadia RossStatus: Resolved. Other. Called the daughter',
  ]);
  const clocks = within(screen.getByRole('table', { name: 'Clocks' }));
  expect(clocks.getByText('Met 11/23/2026 10:00 AM ET')).toBeTruthy();
  const windows = within(screen.getByRole('table', { name: 'HEDIS TRC windows' }));
  expect(windows.getAllByRole('row')[1]?.textContent).toBe('TRC engagement, within 30 days12/21/2026Due');
  expect(within(screen.getByRole('table', { name: 'Messages' })).getByText('ab'.repeat(32))).toBeTruthy();
  expect(screen.getByText(/Based on ADT messages; not a claim\./)).toBeTruthy();
  expect(document.title).not.toContain('Lindqvist');
  window.dispatchEvent(new Event('beforeprint'));
  await waitFor(() => expect(called.map(({ route }) => route)).toContain('POST /api/prints'));
});

test('the evidence says what the team was told first, and when another destination was known', async () => {
  const to = (where: string) => [{ label: 'Discharged to', text: where, date: null }];
  const first = { ...message, facts: to('Skilled nursing facility') };
  const again = { ...message, role: 'CHANGED' as const, hash: 'ef'.repeat(32), receivedDate: '2026-11-21T20:22:00Z' };
  const was = { eventDate: ping.eventDate, setting: ping.setting, dischargedTo: 'Skilled nursing facility' };
  open('/events/41/evidence', {
    'GET /api/patients/1_2/events/41/evidence': [
      200,
      {
        ...evidence,
        ping: { ...ping, state: 'AMENDED', was },
        clocks: [{ rule: 'TCM_CONTACT', due: '2026-11-24', outcome: 'MISSED', date: null, because: null }],
        messages: [first, { ...first, role: 'CHANGED', hash: 'cd'.repeat(32) }, { ...again, facts: to('Home') }],
      },
    ],
  });
  const known = within(await screen.findByRole('table', { name: 'When we knew' }));
  expect(known.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'WhatWhen',
    'Discharged11/21/2026 10:30 AM ET',
    'Message received: discharged to Skilled nursing facility11/21/2026 10:41 AM ET',
    'Message received: now discharged to Home11/21/2026 03:22 PM ET',
    'Ping sent for Riverbend ACO11/21/2026 10:41 AM ET',
  ]);
  expect(screen.getByText(/^Amended\. Before:/).textContent).toContain('Skilled nursing facility');
  expect(screen.getByText(contactMissed(true))).toBeTruthy();
});

test('the evidence of a discharge that is resolved as "Contacted patient" never says that no contact is on record, and offers to log it', async () => {
  const said = { by: 'Nadia Ross', date: '2026-11-23T15:00:00Z' };
  const clocks = [{ rule: 'TCM_CONTACT', due: '2026-11-24', outcome: 'MISSED', date: null, because: null }];
  open(
    '/events/41/evidence',
    { 'GET /api/patients/1_2/events/41/evidence': [200, { ...evidence, clocks, contactedStatus: said }] },
    ['canViewPings', 'canViewPatients', 'canManagePings'],
  );
  expect(
    await screen.findByText(/^Resolved as “Contacted patient” by Nadia Ross, 11\/23\/2026 10:00 AM ET\./),
  ).toBeTruthy();
  expect(screen.queryByText(/not on record|can't be claimed/i)).toBeNull();
  expect(screen.getByRole('button', { name: 'Log this contact' })).toBeTruthy();
});

const finding = (over: Partial<MissingPingFinding>): MissingPingFinding => ({
  code: 'NOTHING',
  groupName: 'Riverbend ACO',
  facilityName: 'Mercy General Hospital',
  event: { code: 'ADMIT', date: '2026-11-20T14:00:00Z', timeZone: 'America/New_York' },
  date: '2026-11-20T14:01:00Z',
  detail: null,
  count: null,
  patientId: null,
  messageId: null,
  ...over,
});
const missing = (...findings: MissingPingFinding[]): MissingPings => ({
  patientId: '1_0',
  day: '2026-11-20',
  timeZone: 'America/New_York',
  findings,
  facilities: [{ id: '7', name: 'Mercy General Hospital' }],
});

test('the reasons for a missing ping are sentences, for the day and the facility that are asked for', async () => {
  const called = open(
    '/missing-pings',
    {
      'GET /api/patients/1_2/missing-pings': [
        200,
        missing(
          finding({ code: 'EVENT_BEFORE_LISTING' }),
          finding({ code: 'PLACEHOLDER_NAME' }),
          finding({ code: 'QUARANTINED', count: 2, detail: 'The PID segment is missing.', messageId: '9' }),
        ),
      ],
    },
    ['canManageUsers', 'canViewPatients'],
  );
  expect(
    await screen.findByText(
      'Admitted at Mercy General Hospital, 11/20/2026 09:00 AM ET: the patient joined Riverbend ACO after that, 11/20/2026 09:01 AM ET.',
    ),
  ).toBeTruthy();
  expect(
    screen.getByText(/^2 messages from Mercy General Hospital's feed in quarantine\. The PID segment/),
  ).toBeTruthy();
  expect(screen.getByText(/^Riverbend ACO has a name that hospitals write when they don't know/)).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Facility'), '7');
  await waitFor(() => expect(called.at(-1)?.query.get('facilityId')).toBe('7'));
});
