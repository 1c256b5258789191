import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { startExplainedApp } from '#server/testing/explained.ts';

const { app, make, clock, db, scene } = await startExplainedApp();
const KEY = 'GET /api/patients/:id/events/:eventId/evidence';
const WHILE = 10 * 60_000;

const evidence = (client: Client, id: string, eventId: string) => client.call(KEY, { params: { id, eventId } });

/** A patient who was discharged home half an hour ago, and the nurse who looks after the list. */
async function discharged() {
  const found = await scene();
  await found.send('A01', '202611200900');
  await found.send('A03', '202611200930', { discharged: '202611200930', disposition: '01', controlId: 'MSG-D' });
  const nurse = await found.program.member('care coordinator', { firstName: 'Nadia', lastName: 'Ross' });
  const [id, eventId] = [await found.patientId(), await found.eventOf('DISCHARGE')];
  const log = (outcome: 'REACHED' | 'NO_ANSWER', client = nurse, at = clock.now()) =>
    client.call('POST /api/patients/:id/contact-attempts', {
      params: { id },
      body: { attemptedAt: at.toISOString(), channel: 'CALL', outcome, note: 'Ann’s daughter' },
    });
  return { ...found, nurse, id, eventId, log };
}

test('it holds when the team knew, who did what when with reasons, the calls with both times, and the clock', async () => {
  const { nurse, id, eventId, log } = await discharged();
  clock.advance(WHILE);
  const called = clock.now();
  clock.advance(WHILE);
  const body = { eventIdentifier: eventId, status: 'IN_PROGRESS' as const, resolutions: [] };
  await nurse.call('POST /api/patients/:id/events/management-status', { params: { id }, body });
  const [first] = await log('NO_ANSWER', nurse, called);
  clock.advance(WHILE);
  await log('REACHED');
  const done = { ...body, status: 'RESOLVED' as const, resolutions: ['OTHER' as const], otherText: 'Called' };
  await nurse.call('POST /api/patients/:id/events/management-status', { params: { id }, body: done });
  await nurse.call('DELETE /api/patients/:id/contact-attempts/:attemptId', {
    params: { id, attemptId: first?.id ?? '' },
  });
  const found = await evidence(nurse, id, eventId);
  expect(found.messages).toMatchObject([{ trigger: 'A03', controlId: 'MSG-D', role: 'REPORTED' }]);
  expect(found.recipients[0]?.sentDate).toBe(found.receivedDate);
  expect(found.statuses.map(({ status, displayName, otherText }) => [status, displayName, otherText])).toEqual([
    ['IN_PROGRESS', 'Nadia Ross', null],
    ['RESOLVED', 'Nadia Ross', 'Called'],
  ]);
  expect(found.attempts.map(({ outcome, by, removedDate }) => [outcome, by, removedDate !== null])).toEqual([
    ['NO_ANSWER', 'Nadia Ross', true],
    ['REACHED', 'Nadia Ross', false],
  ]);
  expect(Date.parse(found.attempts[0]?.recordedDate ?? '') - Date.parse(found.attempts[0]?.attemptedAt ?? '')).toBe(
    WHILE,
  );
  // Friday's discharge: due by the end of Tuesday.
  expect(found.clocks).toEqual([
    { rule: 'TCM_CONTACT', due: '2026-11-24', outcome: 'MET', date: clock.now().toISOString(), because: null },
    { rule: 'TCM_VISIT', due: '2026-12-04', outcome: 'RUNNING', date: null, because: null },
  ]);
  expect(found.windows.map(({ rule, dueOn, state }) => [rule, dueOn, state])).toEqual([
    ['TRC_ADMISSION_NOTICE', '2026-11-22', 'MET'],
    ['TRC_DISCHARGE_INFORMATION', '2026-11-22', 'NOT_RECORDED'],
    ['TRC_ENGAGEMENT', '2026-12-20', 'DUE'],
    ['TRC_MEDICATIONS', '2026-12-20', 'NOT_RECORDED'],
  ]);
  const { rows } = await db.query<{ action: string }>(sql`
    select action from audit_entries where user_id = ${nurse.userId} and action = 'ping.evidence'
      and patient_ids @> array[${id.split('_')[0]}::bigint]`);
  expect(rows).toHaveLength(1);
});

test('another team of the same group sees its own calls and readers, and none of this team’s', async () => {
  const { program, id, eventId, nurse, log } = await discharged();
  await nurse.call('GET /api/patients/:id', { params: { id } });
  await log('REACHED');
  const team = await make.team({ organizationId: program.organizationId, groupIds: [program.groupId] });
  const other = await signIn(app, (await make.user({ team })).username);
  const theirs = await evidence(other, id, eventId);
  expect(theirs).toMatchObject({ attempts: [], readers: [], clocks: [{ outcome: 'RUNNING' }, { outcome: 'RUNNING' }] });
  expect((await evidence(nurse, id, eventId)).attempts).toHaveLength(1);
});

test('there is none about an admission, for a foreign team, or without a ping', async () => {
  const { id, eventId, nurse, eventOf, hospital, hospitalPatientId } = await discharged();
  const refusal = async (client: Client, patientId: string, event: string) =>
    (await errorOf(client, KEY, { params: { id: patientId, eventId: event } })).errorKey;
  expect(await refusal(nurse, id, await eventOf('ADMIT'))).toBe('NOT_FOUND');
  expect(await refusal(await (await scene()).program.member('administrator'), id, eventId)).toBe('NOT_FOUND');
  expect(await refusal(await hospital.member('administrator'), await hospitalPatientId(), eventId)).toBe('NOT_FOUND');
});
