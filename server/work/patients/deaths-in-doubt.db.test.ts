/** Deaths that their sender puts in doubt or takes back, from the messages to the reasons that a team reads. */
import { expect, test } from 'vitest';
import { startApp } from '#server/testing/app.ts';
import { linkScenes } from '#server/testing/facility-links.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { type Fields, patientStory, withFields } from '#server/testing/patient-story.ts';

const app = await startApp();
const hosp = hospital(app.database, app.clock.now, app.make);

/** Returns a local time on that day of November 2026, as YYYYMMDDHHMM. Now is the 20th. */
const on = (day: number, time = '0900'): string => `202611${String(day).padStart(2, '0')}${time}`;

/** Sends an admission on the 12th and these messages, and returns the visits with the reasons of their pings, without repeats. */
async function reasonsAfter(...messages: readonly (readonly [trigger: string, at: string, fields: Fields])[]) {
  const { message, facility, listing, client } = await patientStory(app, hosp);
  const admission = { 'PV1-44': on(12) };
  await hosp.send(message('A01', on(12), admission));
  for (const [trigger, at, fields] of messages) await hosp.send(message(trigger, at, { ...admission, ...fields }));
  const { rows } = await app.database.pipeline.query<{ id: string }>(
    'select id from encounters where group_id = $1 order by id',
    [facility],
  );
  const shown = new Set<string>();
  for (const { id } of rows) {
    const params = { id: `${listing}_${id}` };
    const { currentPingEncounter: stay } = await client.call('GET /api/patients/:id', { params });
    for (const { reason } of stay?.pings ?? []) if (reason) shown.add(reason.label);
  }
  return [...shown];
}

const died: readonly [string, string, Fields] = ['A03', on(16), { 'PV1-45': on(16), 'PV1-36': '20' }];
const alive = { 'PID-30': 'N' };

test('a move days after a death by PV1-36, with PID-30 N, puts it in doubt', async () => {
  const living = ['Reported as died, then as living. Check with the facility'];
  expect(await reasonsAfter(died, ['A02', on(18), { ...alive, 'PV1-3': '5W' }])).toEqual(living);
  expect(await reasonsAfter(died, ['A02', on(16, '1100'), { ...alive, 'PV1-3': 'MORGUE' }])).toEqual(['Patient died']);
});

test('a death is taken back if its sender deletes the disposition that reported it', async () => {
  const shown = await reasonsAfter(died, ['A08', on(18), { ...alive, 'PV1-36': '""', 'PV1-45': '""' }]);
  expect(shown.toSorted()).toEqual(['Death retracted', 'TCM contact overdue since 11/19/2026']);
});

test('a PID-30 that its sender deletes is withdrawn', async () => {
  expect(await reasonsAfter(['A08', on(16), { 'PID-30': 'Y' }], ['A08', on(18), { 'PID-30': '""' }])).toEqual([
    'Reported as died, then withdrawn. Check with the facility',
  ]);
});

test('a PID-29 of a year before the stay dates no death and makes no visit', async () => {
  const { message, told } = await patientStory(app, hosp);
  await hosp.send(
    message('A01', on(12), { 'PV1-44': on(12) }),
    message('A03', on(16), { 'PV1-44': on(12), 'PV1-45': on(16), 'PV1-36': '01' }),
    message('A31', on(18), { 'PV1-2': '', 'PV1-19': '', 'PID-30': 'Y', 'PID-29': '20251117' }),
  );
  expect(await told()).toMatchObject([
    { pings: [/^ADMIT/, /^DISCHARGE/, /^DECEASED INPATIENT 11-18 14:00/].map((start) => expect.stringMatching(start)) },
  ]);
});

test('a death of another year is named with it', async () => {
  const { message, facility, listing, client } = await patientStory(app, hosp);
  await hosp.send(
    message('A31', '202512201000', { 'PV1-2': '', 'PV1-19': '', 'PID-30': 'Y', 'PID-29': '20251217' }),
    message('A01', on(18), { 'PV1-44': on(18) }),
  );
  const { rows } = await app.database.pipeline.query<{ id: string }>(
    "select id from encounters where group_id = $1 and visit_number = 'V-1'",
    [facility],
  );
  const params = { id: `${listing}_${rows[0]?.id}` };
  const { currentPingEncounter: stay } = await client.call('GET /api/patients/:id', { params });
  expect(stay?.pings[0]?.reason?.label).toBe('Contradicts the death reported for 12/17/2025. Check with the facility');
});

test('a later message of the open stay with PID-30 N puts a death in doubt that was answered by link', async () => {
  const { scene, create, answer } = linkScenes(app);
  const { client, id, birthDate, facility, person } = await scene();
  const { token } = await create(client, id);
  await answer(token, birthDate, { date: '2026-11-18', destination: 'DIED' });
  const reasons = async () => {
    const { currentPingEncounter: stay } = await client.call('GET /api/patients/:id', { params: { id } });
    return new Set(stay?.pings.map(({ reason }) => reason?.label));
  };
  expect(await reasons()).toEqual(new Set(['Patient died']));
  app.clock.advance(600_000);
  const of = { record: 'MR-1', visit: 'V-1', facility: facility.name.replace('Hospital ', ''), person };
  await hosp.send(withFields(adt('A08', { at: on(20, '1005'), admitted: on(15), ...of }), alive));
  expect(await reasons()).toEqual(new Set(['Reported as died, then as living. Check with the facility']));
});
