/** Since when a patient is an inpatient, from the messages to the nights that the API answers and the pings that are sent. */
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
  /** The last stay. */
  async function stay() {
    const { rows } = await app.database.pipeline.query<{ id: string }>(
      'select id from encounters where group_id = $1 order by admitted_at desc',
      [story.facility],
    );
    const id = `${story.listing}_${rows[0]?.id}`;
    return (await story.client.call('GET /api/patients/:id', { params: { id } })).currentPingEncounter;
  }
  return { ...story, stay };
}

test.each([
  ['I', '', 'INPATIENT'],
  ['O', 'OBS', 'OBSERVATION'],
])(
  'an outpatient whom an A08 gives class %s%s is admitted then, and the team is told',
  async (of, service, setting) => {
    const { send, stay, told } = await storyAt();
    const registered = { 'PV1-44': on(17, '0800') };
    await send('A04', on(17, '0800'), { ...registered, 'PV1-2': 'O' });
    const formal = { ...registered, 'PV1-2': of, 'PV1-18': service };
    expect((await send('A08', on(18, '1500'), formal)).reason).toBe('Created: admission');
    await send('A08', on(19), formal);
    expect(await told()).toMatchObject([
      { visit: `IN_PROGRESS ${setting}`, pings: [`ADMIT ${setting} 11-18 20:00 ACTIVE`] },
    ]);
    expect(await stay()).toMatchObject({ inpatientNights: setting === 'INPATIENT' ? 2 : 0 });
    await send('A03', on(20), { ...formal, 'PV1-45': on(20), 'PV1-36': '03' });
    expect(await stay()).toMatchObject({ status: 'FINISHED', inpatientNights: setting === 'INPATIENT' ? 2 : 0 });
  },
);

test('no night of a recurring patient counts as an inpatient night', async () => {
  const { send, stay } = await storyAt();
  const series = { 'PV1-44': on(1) };
  await send('A04', on(1), { ...series, 'PV1-2': 'R' });
  await send('A08', on(18), { ...series, 'PV1-2': 'I' });
  await send('A03', on(20), { ...series, 'PV1-2': 'I', 'PV1-45': on(20), 'PV1-36': '01' });
  expect(await stay()).toMatchObject({ inpatientNights: 2 });
});

test('an outpatient account has no length of stay, a stay that was changed to outpatient care has', async () => {
  const { send, stay } = await storyAt();
  for (const day of [1, 8, 15]) await send('A04', on(day), { 'PV1-44': on(day), 'PV1-2': 'R' });
  await send('A03', on(20), { 'PV1-2': 'R', 'PV1-45': on(20), 'PV1-36': '01' });
  expect(await stay()).toMatchObject({
    setting: 'OUTPATIENT',
    status: 'FINISHED',
    lengthOfStay: null,
    visitDuration: null,
  });
  const admitted = await storyAt();
  await admitted.send('A01', on(15), { 'PV1-44': on(15) });
  await admitted.send('A07', on(16), { 'PV1-44': on(15), 'PV1-2': 'O' });
  await admitted.send('A03', on(17), { 'PV1-2': 'O', 'PV1-45': on(17), 'PV1-36': '01' });
  expect(await admitted.stay()).toMatchObject({ setting: 'OUTPATIENT', status: 'FINISHED', lengthOfStay: 2 });
});

const LAST = on(20, '0800');

test.each<Fields>([{ 'PV1-44': on(18) }, {}])(
  'a second stay under the number of the first counts no night at home: %o',
  async (again) => {
    const { send, stay } = await storyAt();
    await send('A01', on(10), { 'PV1-44': on(10) });
    await send('A03', on(11), { 'PV1-45': on(11), 'PV1-36': '01' });
    expect(await stay()).toMatchObject({ inpatientNights: 1, lengthOfStay: 1 });
    await send('A01', on(18), again);
    expect(await stay()).toMatchObject({ status: 'IN_PROGRESS', inpatientNights: 2, lengthOfStay: 2 });
    await send('A08', on(19), { 'PV1-44': on(10) });
    await send('A03', LAST, { 'PV1-45': LAST, 'PV1-36': '03' });
    expect(await stay()).toMatchObject({ status: 'FINISHED', inpatientNights: 2, lengthOfStay: 2 });
  },
);

test('a return on the day of the discharge continues the nights', async () => {
  const { send, stay } = await storyAt();
  await send('A01', on(10), { 'PV1-44': on(10) });
  await send('A03', on(14), { 'PV1-45': on(14), 'PV1-36': '01' });
  await send('A01', on(14, '1500'), { 'PV1-44': on(14, '1500') });
  expect(await stay()).toMatchObject({ inpatientNights: 10 });
});

test('a nursing stay that begins again under its number is as long as its last part', async () => {
  const { send, stay } = await storyAt({ type: 'SNF', facilityType: 'SNF' });
  await send('A01', on(1));
  await send('A03', on(5), { 'PV1-45': on(5), 'PV1-36': '01' });
  await send('A01', on(15));
  await send('A03', LAST, { 'PV1-45': LAST, 'PV1-36': '01' });
  expect(await stay()).toMatchObject({ status: 'FINISHED', lengthOfStay: 5, leaveDays: 0 });
});

test('rows count from the second stay under a number too, so one in between is a recent one', async () => {
  const { client, send } = await storyAt();
  await send('A01', on(10), { 'PV1-44': on(10) });
  await send('A03', on(11), { 'PV1-45': on(11), 'PV1-36': '01' });
  const between = { 'PV1-19': 'V-0', 'PV1-44': on(13) };
  await send('A01', on(13), between);
  await send('A03', on(15), { ...between, 'PV1-45': on(15), 'PV1-36': '01' });
  await send('A01', on(18), { 'PV1-44': on(18) });
  await vi.waitFor(async () => {
    const { facets } = await client.call('POST /api/pings', { body: filtering({ managementStatus: 'NEW' }) });
    expect(facets.recentInpatientStay?.options.map(({ value }) => value)).toEqual(['YES']);
  }, 20_000);
});
