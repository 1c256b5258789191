/** Visits that share a number, or are one stay under two, from the messages to the story and its pings. */
import { expect, test } from 'vitest';
import { closeHangingVisits } from '#server/record/encounters/close-hanging.ts';
import { startApp } from '#server/testing/app.ts';
import { storyScene } from '#server/testing/story-scene.ts';

const app = await startApp();
const { pipeline } = app.database;

async function scene(registrationIsVisit = false) {
  const { facility, story, patient, before, listing, hosp } = await storyScene(app);
  const at = await facility();
  await pipeline.query('update feed_facilities set registration_is_visit = $2 where group_id = $1', [
    at.id,
    registrationIsVisit,
  ]);
  /** The visits, newest first: beginning, series, status and pings. */
  const told = async () =>
    (await story()).map(({ admittedDate, series, status, pings }) => ({
      began: admittedDate?.slice(0, 10),
      series,
      status,
      pings: pings.map((ping) => `${ping.status} ${ping.state}`),
    }));
  return { at, told, patient, before, listing, hosp };
}

test.each([
  ['R', true],
  ['R', false],
  ['O', true],
  ['O', false],
])(
  'a series of class %s keeps when it began, and pings once if registrations are visits: %s',
  async (patientClass, isVisit) => {
    const { at, told, before } = await scene(isVisit);
    for (const day of [29, 22, 15, 8, 1]) {
      await at.send('A04', before(day), { visit: 'V-1', account: 'A-1', patientClass, admitted: before(day) });
    }
    const series = { visits: 5, lastDate: '2026-11-19T14:00:00Z' };
    const pings = isVisit ? ['VISIT ACTIVE'] : [];
    expect(await told()).toEqual([{ began: '2026-10-22', series, status: 'FINISHED', pings }]);
    await at.send('A11', before(1, '1000'), { visit: 'V-1', account: 'A-1', patientClass, admitted: before(1) });
    expect(await told()).toMatchObject([{ began: '2026-10-22', series: { visits: 4 }, pings }]);
  },
);

test('a series is open to a list, and its patient listed at the facility, until its last visit', async () => {
  const { at, told, before, listing } = await scene();
  const opens = new Date(app.clock.now().getTime() - 10 * 86_400_000);
  await pipeline.query('update roster_patients set opens_from = $2 where id = $1', [listing, opens]);
  await at.send('A04', before(29), { visit: 'V-1', patientClass: 'R', admitted: before(29) });
  expect(await told()).toEqual([]);
  await at.send('A04', before(1), { visit: 'V-1', patientClass: 'R', admitted: before(1) });
  expect(await told()).toMatchObject([{ series: { visits: 2 } }]);
  const { rows } = await pipeline.query<{ day: string }>(
    'select leaves_at::date::text as day from roster_patients where group_id = $1',
    [at.id],
  );
  expect(rows).toEqual([{ day: '2027-02-17' }]);
});

test.each(['A06', 'A01'])(
  'an ED visit whose patient is admitted by %s under another number is over, and never closed',
  async (trigger) => {
    const { at, told, before, hosp, patient } = await scene();
    await at.send('A04', before(3), { visit: 'E-1', account: 'A-1', patientClass: 'E', admitted: before(3) });
    await at.send(trigger, before(3, '1500'), { visit: 'I-1', account: 'A-2', admitted: before(3, '1500') });
    await closeHangingVisits(pipeline, hosp.store, app.clock.now());
    await hosp.queue.drain();
    expect(await told()).toMatchObject([
      { status: 'IN_PROGRESS', pings: ['ADMIT ACTIVE'] },
      { status: 'FINISHED', pings: ['PRESENTED ACTIVE'] },
    ]);
    const { currentPingEncounter: ed, encounterCounts } = await patient('E-1');
    expect([ed?.dischargeTo, ed?.dischargedDate]).toEqual(['Admitted to this hospital', null]);
    expect(encounterCounts).toMatchObject({ emergency: 1, inpatient: 1 });
  },
);

test('an observation account of five days ends when its patient is admitted under another number', async () => {
  const { at, told, before, patient } = await scene();
  const observed = { visit: 'O-1', account: 'A-1', patientClass: 'OBS', admitted: before(9) };
  await at.send('A01', before(9), observed);
  for (const day of [7, 5]) await at.send('A08', before(day), observed);
  await at.send('A01', before(4), { visit: 'I-1', account: 'A-2', admitted: before(4) });
  expect(await told()).toMatchObject([
    { status: 'IN_PROGRESS', pings: ['ADMIT ACTIVE'] },
    { status: 'FINISHED', pings: ['ADMIT ACTIVE'] },
  ]);
  const { currentPingEncounter: account } = await patient('O-1');
  expect(account?.dischargeTo).toBe('Admitted to this hospital');
});

test.each([
  ['after the admission', ['A01', 'A03'], ['PRESENTED ACTIVE']],
  ['before it is known', ['A03', 'A01'], ['PRESENTED ACTIVE', 'DISCHARGE CANCELLED']],
])('no one reads "Discharged" of a patient upstairs because the ED account is ended %s', async (_, order, pings) => {
  const { at, told, before, patient } = await scene();
  const inEmergency = { visit: 'E-1', account: 'A-1', patientClass: 'E', admitted: before(2) };
  const messages = {
    A01: () => at.send('A01', before(2, '1500'), { visit: 'I-1', account: 'A-2', admitted: before(2, '1500') }),
    A03: () => at.send('A03', before(2, '1700'), { ...inEmergency, discharged: before(2, '1700'), disposition: '01' }),
  };
  await at.send('A04', before(2), inEmergency);
  for (const trigger of order) await messages[trigger as keyof typeof messages]();
  expect(await told()).toMatchObject([{ status: 'IN_PROGRESS' }, { status: 'FINISHED', pings }]);
  const { currentPingEncounter: ed } = await patient('E-1');
  expect([ed?.dischargeTo, ed?.dischargedDate]).toEqual(['Admitted to this hospital', null]);
});

test('a patient who comes to the ED again under the same number has a ping of its own, though the first visit has no discharge', async () => {
  const { at, told, before, hosp } = await scene();
  await at.send('A04', before(19), { visit: 'V-1', patientClass: 'E', admitted: before(19) });
  await closeHangingVisits(pipeline, hosp.store, app.clock.now());
  await hosp.queue.drain();
  await at.send('A04', before(1), { visit: 'V-1', patientClass: 'E', admitted: before(1) });
  expect(await told()).toMatchObject([
    { began: '2026-11-19', status: 'IN_PROGRESS', pings: ['PRESENTED ACTIVE'] },
    { began: '2026-11-01', status: 'FINISHED', pings: ['CLOSED ACTIVE', 'PRESENTED ACTIVE'] },
  ]);
  await at.send('A11', before(1, '1000'), { visit: 'V-1', patientClass: 'E', admitted: before(1) });
  expect(await told()).toMatchObject([
    { began: '2026-11-19', status: 'CANCELLED', pings: ['PRESENTED CANCELLED'] },
    { began: '2026-11-01', status: 'FINISHED', pings: ['CLOSED ACTIVE', 'PRESENTED ACTIVE'] },
  ]);
});

test('a registration as an outpatient under the number of a stay leaves the stay as it was', async () => {
  const { at, told, before } = await scene();
  await at.send('A01', before(9), { visit: 'V-1', admitted: before(9) });
  await at.send('A03', before(5), { visit: 'V-1', admitted: before(9), discharged: before(5), disposition: '01' });
  await at.send('A04', before(1), { visit: 'V-1', patientClass: 'O', admitted: before(1) });
  expect(await told()).toMatchObject([
    { began: '2026-11-19', status: 'FINISHED', pings: [] },
    { began: '2026-11-11', status: 'FINISHED', pings: ['DISCHARGE ACTIVE', 'ADMIT ACTIVE'] },
  ]);
});
