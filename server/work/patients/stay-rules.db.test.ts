/** When stays begin and end, and how long they are, from the messages to what a team reads. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { hospital } from '#server/testing/hospital.ts';
import { type Fields, patientStory } from '#server/testing/patient-story.ts';

const app = await startApp();
const hosp = hospital(app.database, app.clock.now, app.make);

/** Returns a local time on that day of November 2026, as YYYYMMDDHHMM. Now is the 20th. */
const on = (day: number, time = '0900'): string => `202611${String(day).padStart(2, '0')}${time}`;
const admission: Fields = { 'PV1-44': on(15) };

/** Sends messages about one patient, perhaps with a diagnosis, and returns what the team reads: the visits, and the first of them in full. */
async function after(...messages: readonly (readonly [trigger: string, at: string, fields: Fields])[]) {
  const { message, told, facility, listing, client } = await patientStory(app, hosp);
  for (const [trigger, at, { diagnosis, ...fields }] of messages)
    await hosp.send(message(trigger, at, fields) + (diagnosis ? `DG1|1||${diagnosis}^^I10|||F\r` : ''));
  const { rows } = await app.database.pipeline.query<{ id: string }>(
    'select id from encounters where group_id = $1 order by id',
    [facility],
  );
  const params = { id: `${listing}_${rows[0]?.id}` };
  const { currentPingEncounter: stay } = await client.call('GET /api/patients/:id', { params });
  return { told: await told(), stay };
}

test('a discharge at midnight is one of that day, after what happened on it', async () => {
  const { stay } = await after(
    ['A01', on(15), admission],
    ['A02', on(18, '1500'), { ...admission, 'PV1-3': '5W' }],
    ['A03', on(18, '1600'), { ...admission, 'PV1-45': on(18, '0000'), 'PV1-36': '01' }],
  );
  expect(stay).toMatchObject({ status: 'FINISHED', dischargedDate: '2026-11-18T21:00:00Z', lengthOfStay: 3 });
});

test('an emptied PV1-45 takes back a discharge that an update reported, and no A03', async () => {
  const coded = { ...admission, 'PV1-45': on(18), 'PV1-36': '01' };
  const emptied = { ...admission, 'PV1-45': '""', 'PV1-36': '""' };
  const update = await after(['A01', on(15), admission], ['A08', on(18, '1000'), coded], ['A08', on(19), emptied]);
  expect(update.stay).toMatchObject({ status: 'IN_PROGRESS', dischargedDate: null });
  const final = await after(['A01', on(15), admission], ['A03', on(18, '1000'), coded], ['A08', on(19), emptied]);
  expect(final.stay).toMatchObject({ status: 'FINISHED' });
});

test('a discharge before the admission ends the stay when it was reported', async () => {
  const { stay } = await after(
    ['A01', on(15), admission],
    ['A03', on(18), { ...admission, 'PV1-45': on(1), 'PV1-36': '01' }],
  );
  expect(stay).toMatchObject({ status: 'FINISHED', dischargedDate: '2026-11-18T14:00:00Z', lengthOfStay: 3 });
});

test('nights and length of stay end at the death, also if the discharge follows days later', async () => {
  const { stay } = await after(
    ['A01', on(10), { 'PV1-44': on(10) }],
    ['A08', on(13), { 'PV1-44': on(10), 'PID-29': on(12, '2000'), 'PID-30': 'Y' }],
    ['A03', on(17), { 'PV1-44': on(10), 'PV1-45': on(17), 'PV1-36': '01' }],
  );
  expect(stay).toMatchObject({ lengthOfStay: 2, inpatientNights: 2 });
});

test('a stay that began in the emergency department is as long as since the arrival, and its inpatient nights are fewer', async () => {
  const arrival = { 'PV1-44': on(15, '2000'), 'PV1-2': 'E' };
  const { stay } = await after(
    ['A04', on(15, '2000'), arrival],
    ['A06', on(16, '1000'), { 'PV1-44': on(16, '1000'), 'PV1-2': 'I' }],
  );
  expect(stay).toMatchObject({ setting: 'INPATIENT', lengthOfStay: 5, inpatientNights: 4 });
});

test('a late discharge of the ED account leaves the stay an inpatient one, with its nights', async () => {
  const { stay } = await after(
    ['A04', on(15), { ...admission, 'PV1-2': 'E' }],
    ['A06', on(15, '1400'), { ...admission, 'PV1-2': 'I' }],
    ['A03', on(18), { ...admission, 'PV1-2': 'E', 'PV1-45': on(18), 'PV1-36': '01' }],
  );
  expect(stay).toMatchObject({ status: 'FINISHED', setting: 'INPATIENT', inpatientNights: 3 });
});

test.each([
  ['HOME HEALTH CARE SVC', 'Home with home health'],
  ['ASSISTED LIVING', 'Custodial or supportive care'],
  ['HOME W/ SELF CARE', 'Home'],
  ['AMA', 'Left against medical advice'],
])('PV1-36 %s is read as "%s", and starts a follow-up', async (words, label) => {
  const { stay } = await after(
    ['A01', on(15), admission],
    ['A03', on(19), { ...admission, 'PV1-45': on(19), 'PV1-36': words }],
  );
  expect(stay?.dischargeDisposition).toBe(label);
  expect(stay?.pings[0]?.reason?.code).toBe('FOLLOW_UP_DUE');
});

test('an admission of a year before 1920 is dated by the message', async () => {
  const { stay } = await after(['A01', on(18), { 'PV1-44': '190001010000' }]);
  expect(stay).toMatchObject({ status: 'IN_PROGRESS', admittedDate: '2026-11-18T14:00:00Z', lengthOfStay: 2 });
});

test.each([
  ['I50.9', 'I50.1', null],
  ['I50.9', 'S72.0', 'READMISSION'],
])('after %s, a return on the same day for %s has the reason %s', async (before, now, reason) => {
  const { told } = await after(
    ['A01', on(15), { ...admission, diagnosis: before }],
    ['A03', on(18), { ...admission, diagnosis: before, 'PV1-45': on(18), 'PV1-36': '01' }],
    ['A01', on(18, '2000'), { 'PV1-44': on(18, '2000'), 'PV1-19': 'V-2', diagnosis: now }],
  );
  expect(JSON.stringify(told).includes('READMISSION')).toBe(reason !== null);
});

test.each(['E', 'OBS'])(
  'an update that makes a patient of class %s an inpatient is the admission, with its reason',
  async (of) => {
    const before = { 'PV1-19': 'V-0', 'PV1-44': on(1) };
    const { told } = await after(
      ['A01', on(1), before],
      ['A03', on(3), { ...before, 'PV1-45': on(3), 'PV1-36': '01' }],
      ['A04', on(17), { 'PV1-44': on(17), 'PV1-2': of }],
      ['A08', on(18), { 'PV1-44': on(17), 'PV1-2': 'I' }],
      ['A08', on(19), { 'PV1-44': on(17), 'PV1-2': 'I' }],
    );
    expect(told.at(-1)?.pings).toEqual([
      expect.stringMatching(/^(PRESENTED|ADMIT) .* RECENT_DISCHARGE$/),
      'ADMIT INPATIENT 11-18 14:00 ACTIVE READMISSION',
    ]);
  },
);
