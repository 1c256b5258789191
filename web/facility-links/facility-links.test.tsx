import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { FacilityLink, FacilityLinks } from '#contract/facility-links.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { encounterWith, patientWith, pingWith } from '../testing/patients.ts';
import { answerInWords } from './answer-in-words.ts';

const URL = `https://tidings.example/facility-link#${'a'.repeat(43)}`;
const LIST = '/api/patients/1_2/facility-links';
const ASKABLE: FacilityLinks['refusals'] = { CONFIRM_DISCHARGE: null, UPLOAD_SUMMARY: null };
const refusedFor = (reason: string): FacilityLinks['refusals'] => ({
  CONFIRM_DISCHARGE: reason,
  UPLOAD_SUMMARY: reason,
});
const linkWith = (over: Partial<FacilityLink> = {}): FacilityLink => ({
  id: '8',
  purpose: 'CONFIRM_DISCHARGE',
  state: 'SENT',
  recipient: 'records@mercy.example',
  createdBy: 'Rosa Lindgren',
  createdDate: '2026-11-20T15:00:00Z',
  expiresDate: '2026-11-23T15:00:00Z',
  openedDate: null,
  revokedBy: null,
  answer: null,
  upload: null,
  answeredDate: null,
  ...over,
});
const ANSWER = {
  stillHere: false,
  date: '2026-11-19',
  time: '14:30',
  destination: 'HOME',
  contactName: 'Ana Ruiz',
  contactPhone: '585-555-0177',
  note: 'Left with the daughter',
} as const;

/** Opens a ping with these links. */
function open(data: FacilityLinks, { permissions = ['canManagePings'], isPart2Facility = false } = {}) {
  const ping = pingWith();
  const facility = { ...ping.facility, isPart2Facility };
  const patient = patientWith({
    currentPing: { ...ping, facility },
    currentPingEncounter: { ...encounterWith(ping), admittingFacility: facility },
  });
  let links = data;
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', ...permissions] })],
    'GET /api/patients/1_2': [200, patient],
    'GET /api/patients/1_2/contact-attempts': [200, []],
    [`GET ${LIST}`]: () => [200, links],
    [`POST ${LIST}`]: ({ body }) => {
      const recipient = body['recipient'] as string | null;
      links = { ...links, links: [linkWith({ recipient }), ...links.links] };
      return [200, { ...links, url: recipient === null ? URL : null }];
    },
    [`DELETE ${LIST}/8`]: () => {
      links = {
        links: links.links.map((one) => ({ ...one, state: 'TAKEN_BACK', revokedBy: 'Ana Example' })),
        refusals: ASKABLE,
      };
      return [200, links];
    },
  });
  openApp('/dashboard/home/inbox?sel=1_2');
  return called;
}
const section = async () =>
  within((await screen.findByRole('heading', { name: 'Ask the facility' })).parentElement as HTMLElement);
const user = userEvent.setup();

test.each([
  [ANSWER, 'Discharged 11/19/2026 at 14:30 to home'],
  [{ ...ANSWER, time: null, destination: 'AMA' as const }, 'Discharged 11/19/2026: left against medical advice'],
  [{ ...ANSWER, time: null, destination: 'DIED' as const }, 'Died 11/19/2026'],
  [{ ...ANSWER, time: null, destination: null }, 'Discharged 11/19/2026'],
  [{ ...ANSWER, stillHere: true, date: null }, 'Still there'],
])('an answer is told in words: %#', (answer, words) => {
  expect(answerInWords(answer)).toBe(words);
});

test('a link is sent to an address, and stands in the list with its state', async () => {
  const called = open({ links: [], refusals: ASKABLE });
  await user.click((await section()).getByRole('button', { name: 'Ask the facility' }));
  const form = within(await screen.findByRole('dialog', { name: 'Ask the facility' }));
  await user.click(form.getByRole('button', { name: 'Send link' }));
  expect(await form.findByText('Enter an email address.')).toBeTruthy();
  await user.type(form.getByLabelText('Email address at the facility'), 'records@mercy.example');
  await user.click(form.getByRole('button', { name: 'Send link' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(called.find(({ route }) => route === `POST ${LIST}`)?.body).toEqual({
    purpose: 'CONFIRM_DISCHARGE',
    recipient: 'records@mercy.example',
    hours: 72,
  });
  expect((await section()).getByText('Not opened yet')).toBeTruthy();
});

test('a link to copy is shown once', async () => {
  open({ links: [], refusals: ASKABLE });
  await user.click((await section()).getByRole('button', { name: 'Ask the facility' }));
  const form = within(await screen.findByRole('dialog', { name: 'Ask the facility' }));
  await user.click(form.getByLabelText("I'll copy it and send it myself"));
  await user.click(form.getByRole('button', { name: 'Create link' }));
  expect(await screen.findByText(URL)).toBeTruthy();
  const [close] = screen.getAllByRole('button', { name: 'Close' });
  await user.click(close as HTMLElement);
  await waitFor(() => expect(screen.queryByText(URL)).toBeNull());
  expect((await section()).getByText(/copied/)).toBeTruthy();
});

test('an answer names who reported it, and taking it back asks first', async () => {
  const called = open({
    links: [linkWith({ state: 'ANSWERED', answer: ANSWER, answeredDate: '2026-11-20T16:00:00Z' })],
    refusals: refusedFor('Mercy General Hospital has already reported the discharge.'),
  });
  const shown = await section();
  expect(shown.getByText(/Discharged 11\/19\/2026 at 14:30 to home\. Reported by Ana Ruiz, 585-555-0177/)).toBeTruthy();
  expect(shown.getByText('Left with the daughter')).toBeTruthy();
  expect(shown.getByText('Mercy General Hospital has already reported the discharge.')).toBeTruthy();
  await user.click(shown.getByRole('button', { name: /^Take back: link of/ }));
  const asked = within(await screen.findByRole('dialog', { name: 'Take this answer back?' }));
  await user.click(asked.getByRole('button', { name: 'Take back' }));
  expect(await screen.findByText('Answer taken back')).toBeTruthy();
  expect(called.some(({ route }) => route === `DELETE ${LIST}/8`)).toBe(true);
});

test('whoever may not manage pings sees the links, and no buttons', async () => {
  open({ links: [linkWith({ state: 'LOCKED' })], refusals: ASKABLE }, { permissions: [] });
  const shown = await section();
  expect(shown.getByText('Locked after three wrong birth dates')).toBeTruthy();
  expect(shown.queryByRole('button')).toBeNull();
});

test('a link that ended with its creator’s access says so, and has nothing to revoke', async () => {
  open({ links: [linkWith({ state: 'ENDED' })], refusals: ASKABLE });
  const shown = await section();
  expect(shown.getByText('Ended without an answer')).toBeTruthy();
  expect(
    shown.getByText(/Its creator can no longer ask about this patient · sent to records@mercy.example/),
  ).toBeTruthy();
  expect(shown.queryByRole('button', { name: /Revoke/ })).toBeNull();
});

test('nothing is shown where nothing is missing, except that a Part 2 facility can’t be asked', async () => {
  const refusal = 'Mercy General Hospital has already reported the discharge.';
  const called = open({ links: [], refusals: refusedFor(refusal) });
  await waitFor(() => expect(called.some(({ route }) => route === `GET ${LIST}`)).toBe(true));
  await screen.findByRole('heading', { name: 'This stay' });
  expect(screen.queryByRole('heading', { name: 'Ask the facility' })).toBeNull();
});

test('the screen says why there is no link for a Part 2 facility', async () => {
  const refusal = 'Stillwater is under 42 CFR Part 2, so no link can be created for its stays.';
  open({ links: [], refusals: refusedFor(refusal) }, { isPart2Facility: true });
  expect((await section()).getByText(refusal)).toBeTruthy();
});

test('what can still be asked is chosen, and what was uploaded is told with its kind and who did', async () => {
  const upload = {
    kind: 'PDF',
    size: 122_880,
    contactName: 'Ana Ruiz',
    contactPhone: '585-555-0177',
    note: 'Page 2',
  } as const;
  const called = open({
    links: [
      linkWith({ id: '9', purpose: 'UPLOAD_SUMMARY', state: 'ANSWERED', upload, answeredDate: '2026-11-20T16:00:00Z' }),
    ],
    refusals: { ...ASKABLE, CONFIRM_DISCHARGE: 'Mercy General Hospital has already reported the discharge.' },
  });
  const shown = await section();
  expect(
    shown.getByText(/Discharge summary uploaded \(PDF, 120 kB\)\. Reported by Ana Ruiz, 585-555-0177/),
  ).toBeTruthy();
  expect(shown.getByText('Page 2')).toBeTruthy();
  expect(shown.queryByText(/already reported/)).toBeNull();
  await user.click(shown.getByRole('button', { name: 'Ask the facility' }));
  const form = within(await screen.findByRole('dialog', { name: 'Ask the facility' }));
  const question = form.getByLabelText<HTMLSelectElement>('Question');
  expect([...question.options].map(({ text }) => text)).toEqual(['Upload the discharge summary']);
  await user.click(form.getByLabelText("I'll copy it and send it myself"));
  await user.click(form.getByRole('button', { name: 'Create link' }));
  await screen.findByText(URL);
  expect(called.find(({ route }) => route === `POST ${LIST}`)?.body).toMatchObject({ purpose: 'UPLOAD_SUMMARY' });
});

test('taking an upload back says what becomes of the document', async () => {
  const upload = { kind: 'CCDA', size: 1000, contactName: 'Ana Ruiz', contactPhone: '1', note: '' } as const;
  open({
    links: [linkWith({ purpose: 'UPLOAD_SUMMARY', state: 'ANSWERED', upload, answeredDate: '2026-11-20T16:00:00Z' })],
    refusals: ASKABLE,
  });
  await user.click((await section()).getByRole('button', { name: /^Take back: link of/ }));
  const asked = within(await screen.findByRole('dialog', { name: 'Take this answer back?' }));
  expect(asked.getByText("The document leaves the patient's documents. The answer stays on record.")).toBeTruthy();
});
