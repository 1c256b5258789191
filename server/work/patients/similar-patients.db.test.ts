import { expect, test } from 'vitest';
import { PERMISSION_FLAGS } from '#contract/permissions.ts';
import { makeActor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { Sql, sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { type Person, startSearchApp } from '#server/testing/search.ts';
import { type ListingRow, similarListings } from './queries.ts';
import { withSimilarPatients } from './similar-patients.ts';

const { app, make, ago, teamOf, addPerson } = await startSearchApp();

test('a page of patients marks who has a similar name on the team’s lists, on the page or not', async () => {
  const { groupIds, client } = await teamOf(2);
  const elsewhere = await make.group();
  const idOf = async (groupId: string, person: Person) => `${(await addPerson(groupId, person)).listing.id}_0`;
  const jon = await idOf(groupIds[0], { first: 'Jon', last: 'Osterman', born: '1950-02-03' });
  const alone = await idOf(groupIds[0], { first: 'Mira', last: 'Ostby', born: '1950-02-03' });
  await idOf(groupIds[1] as string, { first: 'Jonn', last: 'Ostermann', born: '1950-08-03' });
  await idOf(elsewhere.id, { first: 'Myra', last: 'Ostby', born: '1950-02-03' });
  await idOf(groupIds[0], { first: 'Mirah', last: 'Ostby', born: '1950-02-04', columns: { left_at: ago(3) } });
  const other = await idOf(elsewhere.id, { first: 'Jon', last: 'Osterman', born: '1950-02-03' });
  const body = { patientIds: [alone, jon, other] };
  expect(await client.call('POST /api/patients/similar-names', { body })).toEqual({ patientIds: [jon] });
});

test('similar names are found by the sound of the last name, in lists and for one patient', async () => {
  const { groupIds, client } = await teamOf();
  const idOf = async (person: Person) => `${(await addPerson(groupIds[0], person)).listing.id}_0`;
  const jon = await idOf({ first: 'Jon', last: 'Smith', born: '1950-02-03' });
  const john = await idOf({ first: 'John', last: 'Smyth', born: '1950-11-20' });
  const joan = await idOf({ first: 'Joan', last: 'Schmidt', born: '1950-02-04' });
  const tim = await idOf({ first: 'Tim', last: 'Smith', born: '1971-07-08' });
  const unborn = await idOf({ first: 'Jo', last: 'Smithe', columns: { date_of_birth: null } });
  const younger = await idOf({ first: 'Jon', last: 'Smith', born: '1988-06-21' });
  const umlaut = await idOf({ first: 'Jön', last: 'Smïth', born: '1933-02-03' });
  const body = { patientIds: [tim, jon, john, joan, unborn, younger, umlaut] };
  const { patientIds } = await client.call('POST /api/patients/similar-names', { body });
  expect(patientIds).toEqual([jon, john, joan, unborn, younger, umlaut]);
  const { similarPatients } = await client.call('GET /api/patients/:id', { params: { id: jon } });
  expect(similarPatients.map(({ id }) => id)[0]).toBe(joan);
  expect(similarPatients.map(({ id }) => id).toSorted()).toEqual([john, joan, unborn, umlaut].toSorted());
});

test('a user who sees only pings gets warnings too, within the groups that the user may see', async () => {
  const { groupIds, team } = await teamOf(2);
  const [first, second = ''] = groupIds;
  const { username, id } = await make.user({ team, role: 'clinician' });
  await app.database.pipeline.query(sql`update grants set removed = '{canViewPatients}' where user_id = ${id}`);
  await app.database.pipeline.query(
    sql`update grants set removed = '{canViewPatients,canViewPings}' where user_id = ${id} and group_id = ${second}`,
  );
  const client = await signIn(app, username);
  const jon = `${(await addPerson(first, { first: 'Jon', last: 'Smith' })).listing.id}_0`;
  const mira = `${(await addPerson(first, { first: 'Mira', last: 'Ostby' })).listing.id}_0`;
  await addPerson(first, { first: 'John', last: 'Smyth' });
  await addPerson(second, { first: 'Myra', last: 'Ostby' });
  const body = { patientIds: [mira, jon] };
  expect(await client.call('POST /api/patients/similar-names', { body })).toEqual({ patientIds: [jon] });
});

test('the queries for similar names, of one patient and of a page, use the index', async () => {
  const groupId = (await make.group()).id;
  const { personId, rosterPatientId } = await make.ping({ groupId });
  // A larger roster with statistics, because the plan for three rows proves nothing.
  await app.database.owner.query(sql`
    insert into roster_patients (group_id, member_id, person_id, first_name, last_name, date_of_birth, gender, sort_first, sort_last,
      sound_last, listed_at, opens_from)
    select ${groupId}, 'plan-' || n, ${personId}, 'Ada', initial || n, date '1930-01-01' + n, 'Female', 'ada', initial || n, upper(initial) || n % 1000, now(), now()
    from generate_series(1, 5000) n, chr(97 + n % 26) initial`);
  await app.database.owner.query('analyze roster_patients');
  const actor = makeActor({
    userId: '1',
    username: 'rosa@tidings.test',
    displayName: 'Rosa Diaz',
    timeZone: 'America/New_York',
    organizationId: '1',
    isOperator: false,
    teamId: '1',
    permissions: new Map([[groupId, new Set(PERMISSION_FLAGS)]]),
  });
  const plansOf = (fn: (tx: ActorTransaction) => Promise<unknown>) =>
    asActor(app.database.app, actor, 'canViewPings', async (tx) => {
      await tx.query('set local enable_seqscan = off');
      await tx.query('set local enable_bitmapscan = off');
      const plans: string[] = [];
      const query: ActorTransaction['query'] = async (statement: Sql | string, values?: readonly unknown[]) => {
        const { text, values: given } = statement instanceof Sql ? statement : { text: statement, values };
        const explained = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, given);
        plans.push(explained.rows.map((row) => row['QUERY PLAN']).join('\n'));
        return tx.query(text, given);
      };
      await fn({ ...tx, query });
      return plans.join('\n');
    });
  const bySound = /roster_patients_sounds.*\n\s+Index Cond: .*group_id.*sound_last/;
  expect(await plansOf((tx) => withSimilarPatients(tx, [`${rosterPatientId}_0`]))).toMatch(bySound);
  const names = { soundLast: 'O252', dateOfBirth: '1941-03-14' };
  const listing = { id: '0', personId: '0', ...names } as ListingRow;
  expect(await plansOf((tx) => similarListings(tx, listing))).toMatch(bySound);
});
