/** Times that are written in other ways than HL7 says, or can't be read, from the messages to what a team reads. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { hospital } from '#server/testing/hospital.ts';
import { type Fields, patientStory } from '#server/testing/patient-story.ts';

const app = await startApp();
const hosp = hospital(app.database, app.clock.now, app.make);

const ADMITTED = [
  { visit: 'IN_PROGRESS INPATIENT', admitted: '11-19 19:20', pings: ['ADMIT INPATIENT 11-19 19:20 ACTIVE'] },
];

test.each<[string, Fields]>([
  ['ISO 8601 with an offset', { 'MSH-7': '2026-11-19T14:25:00-05:00', 'EVN-2': '2026-11-19T14:20:00-05:00' }],
  ['ISO 8601 in UTC', { 'MSH-7': '2026-11-19T19:25:00Z', 'EVN-2': '2026-11-19T19:20:00Z' }],
  ['MM/DD/YYYY with AM and PM', { 'MSH-7': '11/19/2026 2:25 PM', 'EVN-2': '11/19/2026 2:20 PM' }],
  ['DD/MM/YYYY', { 'MSH-7': '19/11/2026 14:25', 'EVN-2': '19/11/2026 14:20:00' }],
  ['a PV1-44 in ISO 8601', { 'EVN-2': '', 'PV1-44': '2026-11-19 14:20' }],
  ['an EVN-6 of the month first', { 'EVN-2': 'then', 'EVN-6': '11/19/2026 14:20' }],
  ['a PV1-44 of the day alone', { 'EVN-2': '202611191420', 'PV1-44': '20261119' }],
  ['a PV1-44 at midnight', { 'EVN-2': '202611191420', 'PV1-44': '202611190000' }],
  [
    'a PV1-44 at midnight and EVN-6',
    { 'EVN-2': '202611191425', 'EVN-6': '202611191420', 'PV1-44': '11/19/2026 12:00 AM' },
  ],
])('an admission is dated by %s', async (_, fields) => {
  const { send, told } = await patientStory(app, hosp);
  expect((await send('A01', '202611191425', fields)).status).toBe('APPLIED');
  expect(await told()).toMatchObject(ADMITTED);
});

const AMBIGUOUS = { 'MSH-7': '11/10/2026 14:25', 'EVN-2': '11/10/2026 14:20', 'PV1-44': '' };

test('a date that can be read in two ways is read as the feed says', async () => {
  const expected = { MDY: '11-10 19:20', DMY: '10-11 18:20' };
  for (const [dateOrder, admitted] of Object.entries(expected)) {
    const { send, told } = await patientStory(app, hosp, { settings: { dateOrder } });
    await send('A01', '', AMBIGUOUS);
    expect(await told()).toMatchObject([{ visit: 'IN_PROGRESS INPATIENT', admitted }]);
  }
});

test('without the order an admission gets the time of receipt, a discharge waits, and the feed says what it has seen', async () => {
  const { send, told, set, feedId } = await patientStory(app, hosp);
  const { reason } = await send('A01', '', AMBIGUOUS);
  expect(reason).toBe(
    'Created: admission; MSH-7 can be month/day or day/month; EVN-2 can be month/day or day/month; dated by its receipt, because no time can be read in EVN-6, PV1-44, EVN-2, MSH-7',
  );
  const received = '11-20 15:00';
  expect(await told()).toMatchObject([
    { admitted: received, pings: [`ADMIT INPATIENT ${received} by receipt ACTIVE`] },
  ]);
  const left = await send('A03', '', { 'MSH-7': '11/12/2026 10:05', 'PV1-45': '11/12/2026 10:00', 'PV1-36': '01' });
  expect(left).toEqual({
    status: 'QUARANTINED',
    reason:
      "PV1-45, EVN-6, EVN-2 and MSH-7 hold no time that can be read, so it's unknown when the A03 happened. Choose the order of month and day in the feed's settings, then replay the message.",
    feedId,
  });
  await send('A31', '', { ...AMBIGUOUS, 'EVN-2': '11/19/2026' });
  const { rows } = await app.database.pipeline.query(
    'select seen, messages from feed_date_orders where feed_id = $1 order by seen',
    [feedId],
  );
  expect(rows).toEqual([
    { seen: 'EITHER', messages: 3 },
    { seen: 'MDY', messages: 1 },
  ]);
  await set({ dateOrder: 'MDY' });
  await app.database.pipeline.query(
    `update messages set status = 'PENDING', reason = '', attempts = 0, processed_at = null`,
  );
  await hosp.queue.drain();
  expect(await told()).toMatchObject([
    { visit: 'FINISHED INPATIENT', admitted: '11-10 19:20', discharged: '11-12 15:00' },
  ]);
});

test('a discharge on a day, without a time, comes after what happened on that day', async () => {
  const { send, client, listing, facility } = await patientStory(app, hosp);
  await send('A01', '202611180800', { 'PV1-44': '202611180800' });
  await send('A02', '202611191000', { 'PV1-44': '202611180800', 'PV1-3': '7W^12^A' });
  await send('A03', '20261119', {
    'EVN-2': '20261119',
    'PV1-44': '202611180800',
    'PV1-45': '20261119',
    'PV1-36': '01',
  });
  const { rows } = await app.database.pipeline.query<{ id: string; current: string }>(
    `select n.id, e.code as current from encounters n join pings p on p.encounter_id = n.id and p.is_current
       join events e on e.id = p.event_id where n.group_id = $1`,
    [facility],
  );
  expect(rows.map(({ current }) => current)).toEqual(['DISCHARGE']);
  const found = await client.call('GET /api/patients/:id', { params: { id: `${listing}_${rows[0]?.id}` } });
  const codes = found.currentPingEncounter?.pings.map(({ status }) => status);
  expect([found.currentPing?.status, codes]).toEqual(['DISCHARGE', ['DISCHARGE', 'TRANSFER', 'ADMIT']]);
});

test('a patient who comes and leaves in the hour that comes twice leaves after the arrival', async () => {
  const { send, told } = await patientStory(app, hosp);
  const emergency = { 'PV1-2': 'E', 'PV1-44': '202611010130' };
  await send('A04', '202611010130', emergency);
  const left = { ...emergency, 'PV1-45': '202611010110', 'PV1-36': '01' };
  expect((await send('A03', '202611010110', left)).reason).toBe('Created: discharge');
  expect(await told()).toMatchObject([
    {
      visit: 'FINISHED EMERGENCY',
      admitted: '11-01 05:30',
      discharged: '11-01 06:10',
      pings: ['PRESENTED EMERGENCY 11-01 05:30 ACTIVE late', 'DISCHARGE EMERGENCY 11-01 06:10 ACTIVE late'],
    },
  ]);
});
