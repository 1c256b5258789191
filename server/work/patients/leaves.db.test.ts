/** Leaves of absence, from the messages to the length of a stay and its nights as the API answers them. */
import { expect, test, vi } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { hospital } from '#server/testing/hospital.ts';
import { type Fields, patientStory } from '#server/testing/patient-story.ts';
import { filtering } from '#server/testing/search.ts';

const app = await startApp();
const hosp = hospital(app.database, app.clock.now, app.make);

/** Returns a local time on that day of November 2026, as YYYYMMDDHHMM. Today is the 20th. */
const on = (day: number, time = '0900'): string => `202611${String(day).padStart(2, '0')}${time}`;

async function storyAt(where: Parameters<typeof patientStory>[2] = {}) {
  const story = await patientStory(app, hosp, where);
  const admitted = { 'PV1-44': on(3) };
  const send = (trigger: string, at: string, fields: Fields = {}) =>
    story.send(trigger, at, { ...admitted, ...fields });
  async function stay() {
    const { rows } = await app.database.pipeline.query<{ id: string }>(
      'select id from encounters where group_id = $1',
      [story.facility],
    );
    const id = `${story.listing}_${rows[0]?.id}`;
    return (await story.client.call('GET /api/patients/:id', { params: { id } })).currentPingEncounter;
  }
  return { ...story, send, stay };
}

test('nights on leave from a hospital are none, and no days of the stay, unless the leave was canceled', async () => {
  const { send, stay } = await storyAt();
  await send('A01', on(3));
  expect(await stay()).toMatchObject({ inpatientNights: 17, lengthOfStay: 17, leaveDays: 0 });
  await send('A22', on(8));
  await send('A21', on(5));
  expect(await stay()).toMatchObject({
    status: 'IN_PROGRESS',
    inpatientNights: 12,
    lengthOfStay: 14,
    leaveDays: 3,
    visitDuration: '14 days',
  });
  await send('A21', on(10));
  expect(await stay()).toMatchObject({ status: 'ON_LEAVE', inpatientNights: 2, lengthOfStay: 4, leaveDays: 13 });
  await send('A52', on(10, '2300'));
  expect(await stay()).toMatchObject({ status: 'IN_PROGRESS', inpatientNights: 12, lengthOfStay: 14, leaveDays: 3 });
  await send('A53', on(8, '2300'));
  expect(await stay()).toMatchObject({ status: 'ON_LEAVE', inpatientNights: 2, lengthOfStay: 2, leaveDays: 15 });
});

test('a resident’s days on leave don’t make the stay longer than expected', async () => {
  const { client, message, send, stay } = await storyAt({ type: 'SNF', facilityType: 'SNF' });
  await hosp.send(`${message('A01', on(3), { 'PV1-44': on(3) })}\rPV2||||||||||14`);
  const expectedStay = async () => {
    const { facets } = await client.call('POST /api/pings', { body: filtering({ managementStatus: 'NEW' }) });
    return facets.expectedStay?.options.map(({ value }) => value);
  };
  await vi.waitFor(async () => expect(await expectedStay()).toEqual(['OVER']), 20_000);
  await send('A21', on(10));
  await send('A22', on(16));
  await vi.waitFor(async () => expect(await expectedStay()).toEqual(['WITHIN']), 20_000);
  expect(await stay()).toMatchObject({
    lengthOfStay: 11,
    expectedLengthOfStay: 14,
    leaveDays: 6,
    inpatientNights: null,
  });
});

test('a leave dated before the stay begins when it was recorded, and the nights stay right', async () => {
  const hospitalStay = await storyAt();
  await hospitalStay.send('A01', on(3));
  await hospitalStay.send('A21', on(5), { 'EVN-6': on(1) });
  expect(await hospitalStay.stay()).toMatchObject({
    status: 'ON_LEAVE',
    inpatientNights: 2,
    lengthOfStay: 2,
    leaveDays: 15,
  });
  const residence = await storyAt({ type: 'SNF', facilityType: 'SNF' });
  await residence.send('A01', on(3));
  await residence.send('A21', on(5), { 'EVN-6': on(1) });
  const [visit] = await residence.told();
  expect(visit?.visit).toBe('ON_LEAVE SNF');
  expect(visit?.pings.map((ping) => ping.split(' ').slice(0, 4).join(' '))).toEqual([
    'ADMIT SNF 11-03 14:00',
    'MEDICAL_LEAVE_OF_ABSENCE SNF 11-05 14:00',
  ]);
});
