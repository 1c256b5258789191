/** The words on the card of a visit: how it began, how it ended, and what is only known from a report. */
import { cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { StoryEncounter } from '#contract/story.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith, pingWith, visitWith } from '../testing/patients.ts';

/** Opens the story of a patient with this visit, and returns its card. */
async function cardOf(visit: Partial<StoryEncounter>, patient = patientWith()): Promise<HTMLElement> {
  const encounters = [visitWith(visit)];
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'] })],
    'GET /api/patients/1_2': [200, patient],
    'GET /api/patients/1_2/encounters': [200, { encounters, total: 1, numPages: 1, facilities: [] }],
    'GET /api/patients/1_2/diagnosis-summary': [200, []],
  });
  openApp('/dashboard/patients/1_2');
  return screen.findByRole('article');
}

const FINISHED = { status: 'FINISHED', dischargedDate: '2026-11-22T15:42:00Z' } as const;

test('a stay that the patient left alive says where to, though the patient died later', async () => {
  const died = pingWith({ status: 'DECEASED', eventIdentifier: '42', eventDate: '2026-11-24T15:00:00Z' });
  const left = pingWith({ status: 'DISCHARGE', eventIdentifier: '41', eventDate: '2026-11-22T15:42:00Z' });
  const card = await cardOf(
    { ...FINISHED, endPing: left, events: [died, left], dischargeTo: 'Home' },
    patientWith({ deceased: true, deceasedDate: '2026-11-24' }),
  );
  expect(card.textContent).toContain('Admitted 11/21/2026 10:42 AM ET · Discharged 11/22/2026 10:42 AM ET · Home');
  expect(card.textContent).not.toContain('Died');
});

test('a death that only its report dates is never said to have been then', async () => {
  const died = pingWith({ status: 'DECEASED', datedByReport: true });
  const patient = patientWith({ deceased: true, deceasedDate: '2026-11-22', isDeceasedDateReported: true });
  const card = await cardOf({ events: [died] }, patient);
  expect(card.textContent).toContain('death reported 11/22/2026, no discharge sent');
  expect(card.textContent).toContain('ET, when it was reported');
  expect(screen.getByText('Death reported').nextElementSibling?.textContent).toBe('11/22/2026');
  expect(screen.queryByText('Age at death')).toBeNull();
});

test.each<[string, Partial<StoryEncounter>, string]>([
  ['observation', { setting: 'OBSERVATION' }, 'In observation from 11/21/2026 10:42 AM ET · still there'],
  ['a visit', { setting: 'OUTPATIENT', kind: 'OTHER', ...FINISHED }, 'Arrived 11/21/2026 10:42 AM ET · '],
  [
    'a series of visits',
    {
      setting: 'OUTPATIENT',
      kind: 'OTHER',
      status: 'FINISHED',
      series: { visits: 5, lastDate: '2026-12-19T15:00:00Z' },
    },
    'Series since 11/21/2026 · 5 visits, last 12/19/2026',
  ],
  [
    'an outpatient who was admitted',
    { registeredDate: '2026-11-20T15:42:00Z' },
    'Registered 11/20/2026 10:42 AM ET · Admitted 11/21/2026 10:42 AM ET',
  ],
  [
    'an inpatient who was observed, with a PV1-44 of the admission',
    { observedFrom: '2026-11-19T15:42:00Z' },
    'In observation from 11/19/2026 10:42 AM ET · Admitted 11/21/2026 10:42 AM ET',
  ],
  [
    'an inpatient who was observed, with the PV1-44 of the observation',
    { observedFrom: '2026-11-21T15:42:00Z', inpatientFrom: '2026-11-22T15:42:00Z' },
    'In observation from 11/21/2026 10:42 AM ET · Admitted 11/22/2026 10:42 AM ET',
  ],
])('a card says how the visit began: %s', async (_, visit, expected) => {
  expect((await cardOf(visit)).textContent).toContain(expected);
});

test('an outpatient account is closed, and nobody was discharged from it', async () => {
  const card = await cardOf({
    setting: 'OUTPATIENT',
    kind: 'OTHER',
    ...FINISHED,
    lengthOfStay: null,
    dischargeTo: 'Home',
  });
  expect(card.textContent).toContain('Arrived 11/21/2026 10:42 AM ET · Account closed 11/22/2026 10:42 AM ET · Home');
  expect(card.textContent).not.toContain('Length of stay');
});

test('the details of a visit that is planned say for when', async () => {
  const card = await cardOf({ status: 'PLANNED', events: [], pings: [] });
  expect(card.textContent).toContain('Planned for 11/21/2026');
  expect(screen.getByText('Planned for')).toBeTruthy();
  expect(screen.queryByText('Admitted')).toBeNull();
});

test('a canceled visit is struck through, as what it was', async () => {
  const card = await cardOf({ status: 'CANCELLED', onlyPlanned: true, events: [], pings: [] });
  expect(within(card).getByText(/^Planned for 11\/21\/2026 10:42 AM ET/, { selector: 's' })).toBeTruthy();
  expect(within(card).queryByText(/Admitted \d/)).toBeNull();
  expect(within(card).queryByText('No events yet.')).toBeNull();
});

test('a stay whose admission was canceled before anyone was notified says so', async () => {
  const card = await cardOf({ status: 'CANCELLED', events: [], pings: [] });
  expect(within(card).getByText('Admitted 11/21/2026 10:42 AM ET', { selector: 's' })).toBeTruthy();
});

test('an inpatient stay that was changed to observation says both, and why no night counts', async () => {
  const admitted = pingWith({ eventIdentifier: '41' });
  const changed = pingWith({
    status: 'TRANSFER',
    eventIdentifier: '42',
    eventDate: '2026-11-22T18:00:00Z',
    setting: 'OBSERVATION',
    priorSetting: 'INPATIENT',
  });
  const card = await cardOf({ setting: 'OBSERVATION', events: [changed, admitted], pings: [] });
  expect(card.textContent).toContain(
    'Admitted 11/21/2026 10:42 AM ET · Changed to observation 11/22/2026 01:00 PM ET · still there',
  );
  expect(card.textContent).not.toContain('In observation from');
  expect(within(card).getByText('Inpatient nights').nextElementSibling?.textContent).toMatch(/^0: a stay that/);
});

test('a stay that was changed back to observation says since when the patient was observed, and when admitted', async () => {
  const arrived = pingWith({ status: 'PRESENTED', eventIdentifier: '40', eventDate: '2026-11-20T15:00:00Z' });
  const changed = pingWith({
    status: 'TRANSFER',
    eventIdentifier: '42',
    eventDate: '2026-11-22T20:00:00Z',
    setting: 'OBSERVATION',
    priorSetting: 'INPATIENT',
  });
  const card = await cardOf({
    setting: 'OBSERVATION',
    admittedDate: '2026-11-20T15:00:00Z',
    observedFrom: '2026-11-20T21:00:00Z',
    inpatientFrom: '2026-11-21T14:00:00Z',
    events: [changed, arrived],
    pings: [],
  });
  expect(card.textContent).toContain(
    'Arrived 11/20/2026 10:00 AM ET · In observation from 11/20/2026 04:00 PM ET · Admitted 11/21/2026 09:00 AM ET · Changed to observation 11/22/2026 03:00 PM ET',
  );
  expect(within(card).getByText('Admitted').nextElementSibling?.textContent).toBe('11/21/2026 09:00 AM ET');
});

test('the details say where the patient was admitted from as the line of the list does', async () => {
  const card = await cardOf({ events: [pingWith({ priorSetting: 'EMERGENCY' })] });
  expect(within(card).getByText('Admitted from').nextElementSibling?.textContent).toBe('Emergency');
});

test('the details say after which stay the patient was admitted where no message says from where', async () => {
  const events = [pingWith({ priorSetting: null })];
  const card = await cardOf({ events, admittedFromLocation: 'Mercy General (Emergency)' });
  expect(within(card).getByText('Admitted from').nextElementSibling?.textContent).toBe('Mercy General (Emergency)');
});

test('a final diagnosis says when it was, and that it was the admitting one before', async () => {
  const diagnosis = { synonym: 'COPD exacerbation', fullCode: 'J44.1', mainCode: 'J44', parentCode: 'J44' };
  const card = await cardOf({
    allEncounterDiagnoses: [
      {
        ...diagnosis,
        type: 'F',
        codeSystem: 'I10',
        since: '2026-11-26',
        before: [{ type: 'A', since: '2026-11-23' }],
      },
    ],
  });
  expect(card.textContent).toContain('COPD exacerbation J44.1 · Final 11/26/2026 · Admitting 11/23/2026');
});

test('a discharge that contradicts itself is named on the open stay', async () => {
  const card = await cardOf({ dischargeContradicted: true });
  expect(card.textContent).toContain('The facility sent a discharge that says the patient is still there.');
});

test('a stay that contradicts the death goes on, and the death is one that was reported', async () => {
  const patient = patientWith({ deceased: true, deceasedDate: '2026-11-20', isDeathInDoubt: true });
  const card = await cardOf({}, patient);
  expect(card.textContent).toContain('Admitted 11/21/2026 10:42 AM ET · still there · death reported 11/20/2026');
  expect(screen.getByText('Death reported').nextElementSibling?.textContent).toBe('11/20/2026');
  expect(screen.getByText('Inpatient · day 1')).toBeTruthy();
});

test('a resident is on leave only where the nursing facility reported a leave', async () => {
  const snf = (lastEventType: 'ADMIT' | 'MEDICAL_LEAVE_OF_ABSENCE') => ({
    triggerEncounterId: '7',
    triggerEncounterGroupId: '8',
    triggerEncounterGroup: 'Oak Hollow SNF',
    triggerEncounterDiagnosis: null,
    triggerDate: null,
    lastEventDate: '2026-11-15T15:00:00Z',
    lastEventType,
    endValidityDate: null,
  });
  const reported = await cardOf({ recentSnfStay: snf('ADMIT') });
  expect(reported.textContent).toMatch(/Recent SNF stay: Oak Hollow SNF.*, no discharge from there reported\./);
  cleanup();
  const onLeave = await cardOf({ recentSnfStay: snf('MEDICAL_LEAVE_OF_ABSENCE') });
  expect(onLeave.textContent).toMatch(/Recent SNF stay: Oak Hollow SNF.*, on leave from there\./);
});

test('an amended event says what it was before', async () => {
  const was = { eventDate: '2026-11-21T15:30:00Z', setting: 'EMERGENCY' as const, dischargedTo: null };
  const card = await cardOf({ events: [pingWith({ state: 'AMENDED', was })] });
  expect(card.textContent).toMatch(/ Amended\. Before: Admitted — .*11\/21\/2026 10:30 AM/);
});
