import { expect, test } from 'vitest';
import type { NewContactAttempt } from '#contract/contact-attempts.ts';
import { MOST_ATTEMPTS_OF_PATIENT } from '#contract/contact-words.ts';
import type { StandardRole } from '#contract/permissions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';

const app = await startApp();
const { make, database, clock } = app;

const DAY = 86_400_000;
const KEY = '/api/patients/:id/contact-attempts';
const ago = (ms: number) => new Date(clock.now().getTime() - ms).toISOString();
/** An organization with a group, a team that works for it, and a patient on its list. */
async function scene() {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const member = async (of = team, role: StandardRole = 'care coordinator') =>
    signIn(app, (await make.user({ team: of, role })).username);
  const listing = await make.rosterPatient({ groupId });
  return { organizationId, groupId, team, member, listing, id: `${listing.id}_0`, client: await member() };
}

const attempt = (over: Partial<NewContactAttempt> = {}): NewContactAttempt => ({
  attemptedAt: ago(60_000),
  channel: 'CALL',
  outcome: 'NO_ANSWER',
  note: '',
  ...over,
});
const log = (client: Client, id: string, over: Partial<NewContactAttempt> = {}) =>
  client.call(`POST ${KEY}`, { params: { id }, body: attempt(over) });
const list = (client: Client, id: string) => client.call(`GET ${KEY}`, { params: { id } });
const remove = (attemptId: string, id: string) => ({ params: { id, attemptId } });

test('an attempt is kept with who made it, how and with what outcome, for the whole team, newest first', async () => {
  const { client, member, id } = await scene();
  const colleague = await member();
  await log(client, id, { attemptedAt: ago(2 * DAY), outcome: 'LEFT_MESSAGE', note: ' With the daughter ' });
  await log(colleague, id, { channel: 'VISIT', outcome: 'REACHED' });
  const seen = await list(client, id);
  expect(seen.map(({ channel, outcome, note, isOwn }) => [channel, outcome, note, isOwn])).toEqual([
    ['VISIT', 'REACHED', '', false],
    ['CALL', 'LEFT_MESSAGE', 'With the daughter', true],
  ]);
  expect(seen.every(({ by }) => by.length > 0)).toBe(true);
});

test('an attempt that is sent twice, also at once, is kept once', async () => {
  const { client, id } = await scene();
  await Promise.all([log(client, id), log(client, id), log(client, id)]);
  await log(client, id);
  expect(await list(client, id)).toHaveLength(1);
});

test('it is the team’s: no other team sees or removes it, and a viewer records none', async () => {
  const { organizationId, groupId, client, member, team, id } = await scene();
  const other = await member(await make.team({ organizationId, groupIds: [groupId] }));
  const [made] = await log(client, id);
  const attemptId = made?.id ?? '';
  expect(await list(other, id)).toEqual([]);
  expect((await errorOf(other, `DELETE ${KEY}/:attemptId`, remove(attemptId, id))).errorKey).toBe('NOT_FOUND');
  const viewer = await member(team, 'viewer');
  expect(await list(viewer, id)).toHaveLength(1);
  expect((await errorOf(viewer, `POST ${KEY}`, { params: { id }, body: attempt() })).errorKey).toBe('NOT_PERMITTED');
  const stranger = await scene();
  for (const call of [
    errorOf(stranger.client, `GET ${KEY}`, { params: { id } }),
    errorOf(stranger.client, `POST ${KEY}`, { params: { id }, body: attempt() }),
    errorOf(stranger.client, `DELETE ${KEY}/:attemptId`, remove(attemptId, stranger.id)),
  ])
    expect((await call).errorKey).toBe('NOT_FOUND');
  expect(await list(client, id)).toHaveLength(1);
});

test('only who recorded an attempt removes it, once, and it stays on record', async () => {
  const { client, member, id, listing } = await scene();
  const colleague = await member();
  const [made] = await log(client, id);
  const attemptId = made?.id ?? '';
  expect((await errorOf(colleague, `DELETE ${KEY}/:attemptId`, remove(attemptId, id))).errorKey).toBe('NOT_FOUND');
  expect(await client.call(`DELETE ${KEY}/:attemptId`, remove(attemptId, id))).toEqual([]);
  expect((await errorOf(client, `DELETE ${KEY}/:attemptId`, remove(attemptId, id))).errorKey).toBe('NOT_FOUND');
  const { rows } = await database.pipeline.query(sql`
    select removed_at is not null as removed from contact_attempts where roster_patient_id = ${listing.id}`);
  expect(rows).toEqual([{ removed: true }]);
  const { rows: audited } = await database.pipeline.query<{ action: string }>(sql`
    select action from audit_entries where patient_ids = array[${listing.id}::bigint] and action like 'contact-%' order by id`);
  expect(audited.map(({ action }) => action)).toEqual(['contact-attempts.add', 'contact-attempts.remove']);
});

test('a time to come, one long past, one that does not exist and unknown words are refused by field', async () => {
  const { client, id } = await scene();
  const refused = async (over: object) => {
    const body = { ...attempt(), ...over };
    return (await errorOf(client, `POST ${KEY}`, { params: { id }, body })).errorKey;
  };
  const wrong = [
    { attemptedAt: ago(-DAY) },
    { attemptedAt: ago(400 * DAY) },
    { attemptedAt: '2026-02-30T10:00:00Z' },
    { channel: 'PIGEON' },
    { outcome: 'MAYBE' },
    { note: 'x'.repeat(501) },
    { note: 'a\u0000b' },
    { userId: '1' },
  ];
  for (const over of wrong) expect(await refused(over)).toBe('BAD_REQUEST');
  expect(await list(client, id)).toEqual([]);
});

test('a patient has at most so many attempts', async () => {
  const { client, id, listing, team } = await scene();
  await log(client, id);
  await database.pipeline.query(sql`
    insert into contact_attempts (team_id, roster_patient_id, attempted_at, channel, outcome, user_id, display_name, created_at)
    select team_id, roster_patient_id, attempted_at - n * interval '1 minute', channel, outcome, user_id, display_name, created_at
    from contact_attempts, generate_series(1, ${MOST_ATTEMPTS_OF_PATIENT - 1}::int) n
    where team_id = ${team.id} and roster_patient_id = ${listing.id}`);
  const body = attempt({ channel: 'TEXT' });
  expect((await errorOf(client, `POST ${KEY}`, { params: { id }, body })).errorKey).toBe('BAD_REQUEST');
});

test('a follow-up says what was tried, two timely attempts keep it from being overdue, and a contact ends it', async () => {
  const hosp = hospital(database, clock.now, make);
  const { client, groupId } = await scene();
  const { id: facilityId, organizationId } = await make.group({ type: 'HOS', facilityType: 'HOS' });
  await hosp.feed(organizationId, { HOME: facilityId });
  const person = newPerson();
  const listing = await hosp.list(groupId, person);
  const local = (daysAgo: number) =>
    ago(daysAgo * DAY)
      .replaceAll(/[-:T]/g, '')
      .slice(0, 12);
  const stay = { record: 'R-1', visit: 'V-1', facility: 'HOME', person, admitted: local(9) };
  await hosp.send(adt('A01', { ...stay, at: local(9) }));
  await hosp.send(adt('A03', { ...stay, at: local(7), discharged: local(7), disposition: '01' }));
  const { rows } = await database.pipeline.query<{ id: string }>(
    sql`select id from encounters where group_id = ${facilityId}`,
  );
  const id = `${listing}_${rows[0]?.id}`;
  const reason = async () => (await client.call('GET /api/patients/:id', { params: { id } })).currentPing?.reason;
  expect(await reason()).toMatchObject({ code: 'FOLLOW_UP_OVERDUE' });
  await log(client, id, { attemptedAt: ago(8 * DAY), outcome: 'REACHED' });
  expect((await reason())?.label).toMatch(/^TCM contact overdue since .*\d$/);
  await log(client, id, { attemptedAt: ago(6.5 * DAY) });
  expect((await reason())?.label).toMatch(/^TCM contact overdue since .*, 1 attempt$/);
  await log(client, id, { attemptedAt: ago(6.4 * DAY), outcome: 'LEFT_MESSAGE' });
  expect(await reason()).toMatchObject({ code: 'FOLLOW_UP_DUE' });
  expect((await reason())?.label).toMatch(/^TCM visit due .*\. Not reached in 2 attempts, keep trying$/);
  const [reached] = await log(client, id, { outcome: 'REACHED' });
  expect((await reason())?.label).toMatch(/^TCM visit due [^.]*$/);
  await client.call(`DELETE ${KEY}/:attemptId`, remove(reached?.id ?? '', id));
  expect((await reason())?.label).toContain('keep trying');
  await log(client, id, { channel: 'VISIT', outcome: 'REACHED' });
  expect(await reason()).toBeNull();
});
