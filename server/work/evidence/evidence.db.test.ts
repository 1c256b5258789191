import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { mdm } from '#server/testing/documents.ts';
import { startExplainedApp } from '#server/testing/explained.ts';

const { app, make, clock, db, hosp, scene } = await startExplainedApp();
const KEY = 'GET /api/patients/:id/events/:eventId/evidence';
const WHILE = 10 * 60_000;

const evidence = (client: Client, id: string, eventId: string) => client.call(KEY, { params: { id, eventId } });

/** A patient who was discharged home half an hour ago, or on another day, and the nurse who looks after the list. */
async function discharged(day = '20261120') {
  const found = await scene();
  const [admitted, left] = [`${day}0900`, `${day}0930`];
  await found.send('A01', admitted, { admitted });
  await found.send('A03', left, { admitted, discharged: left, disposition: '01', controlId: 'MSG-D' });
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

test('a discharge summary that arrived in time is receipt of discharge information, for those who see summaries', async () => {
  const { nurse, id, eventId, program, code, person } = await discharged();
  const window = async (client: Client) =>
    (await evidence(client, id, eventId)).windows.find(({ rule }) => rule === 'TRC_DISCHARGE_INFORMATION');
  expect(await window(nurse)).toMatchObject({ state: 'NOT_RECORDED', metAt: null });
  clock.advance(WHILE);
  const received = clock.now().toISOString();
  const document = { facility: code, record: 'MR-1', person, visit: 'V-1' };
  await hosp.send(mdm('T02', { ...document, number: 'S-1', content: 'Home with furosemide.' }));
  clock.advance(WHILE);
  // A later version of it, and another kind of document.
  await hosp.send(mdm('T10', { ...document, number: 'S-2', parent: 'S-1', content: 'Home with torsemide.' }));
  await hosp.send(mdm('T02', { ...document, type: 'PR^Progress note', number: 'P-1', content: 'Stable.' }));
  const met = { state: 'MET', dueOn: '2026-11-22', metAt: received };
  expect(await window(nurse)).toMatchObject(met);
  const [last] = await nurse.call('GET /api/patients/:id/follow-ups', { params: { id } });
  expect(last?.windows.find(({ rule }) => rule === 'TRC_DISCHARGE_INFORMATION')).toMatchObject(met);
  const without = (await make.user({ team: program.team, role: 'clinician', removed: ['canViewDischargeSummaries'] }))
    .username;
  expect(await window(await signIn(app, without))).toMatchObject({ state: 'NOT_RECORDED', metAt: null });
});

test('two separate attempts in time count at once', async () => {
  const { program, id, eventId, log } = await discharged();
  await log('NO_ANSWER');
  clock.advance(3 * 3_600_000);
  const colleague = await program.member('care coordinator');
  await log('NO_ANSWER', colleague);
  const [contact] = (await evidence(colleague, id, eventId)).clocks;
  expect(contact).toMatchObject({ rule: 'TCM_CONTACT', due: '2026-11-24', outcome: 'ATTEMPTED', date: null });
});

test('a clock that a death ended has no other time than the sender gave', async () => {
  for (const [diedAt, date] of [
    ['20261119', '2026-11-19'],
    ['202611201015', '2026-11-20T15:15:00.000Z'],
    ['', null],
  ] as const) {
    const { nurse, id, eventId, send } = await discharged('20261118');
    await send('A31', '202611201030', { visit: '', noVisit: true, deceased: true, diedAt });
    const [contact] = (await evidence(nurse, id, eventId)).clocks;
    expect([diedAt, contact?.outcome, contact?.because, contact?.date]).toEqual([diedAt, 'ENDED', 'DIED', date]);
  }
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
