/** Removing a facility's 42 CFR Part 2 mark: by whom, and what is recorded about it. */
import { expect, test } from 'vitest';
import { verifyOpenings } from '#server/people/audit/openings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { refusal } from '#server/testing/administration.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, clock } = app;
const { pipeline: db } = app.database;

async function setMark(client: Client, id: string, isPart2Facility: boolean) {
  const group = (await client.call('GET /api/admin/groups', { query: { pageSize: 100 } })).groups.find(
    (each) => each.id === id,
  );
  if (group === undefined) throw new Error('No such group');
  const { id: _, organization: __, ...fields } = group;
  await client.call('PUT /api/admin/groups/:id', { params: { id }, body: { ...fields, isPart2Facility } });
  return group.canLiftPart2;
}

async function teamOf(groupId: string, organizationId: string) {
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const { username } = await make.user({ team, role: 'administrator' });
  const operator = await make.user({ team, role: 'administrator', isOperator: true });
  return { administrator: await signIn(app, username), operator: await signIn(app, operator.username) };
}

test('an administrator sets the mark, and only an operator removes it; what that opens is recorded for each listing', async () => {
  const facility = await make.group({ type: 'HOS' });
  const { administrator, operator } = await teamOf(facility.id, facility.organizationId);
  const program = await make.group();
  const reader = (await teamOf(program.id, program.organizationId)).administrator;
  const listing = await make.rosterPatient({ groupId: program.id });
  const { personId } = listing;
  await make.encounter({ groupId: facility.id, personId });
  await make.encounter({ groupId: facility.id, personId });
  await make.encounter({ groupId: facility.id, personId, visit: { status: 'CANCELLED' } });
  // Nothing opens for a group with a consent, or one that stopped listing the person without a ping.
  const consenting = await make.rosterPatient({ personId });
  await db.query(sql`insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
    values (${personId}, ${facility.id}, ${consenting.groupId}, ${clock.now()})`);
  await make.rosterPatient({ personId, left_at: clock.now() });

  expect(await setMark(administrator, facility.id, true)).toBe(false);
  expect(await refusal(setMark(administrator, facility.id, false))).toBe('NOT_PERMITTED');
  const openings = async () =>
    (
      await db.query(sql`
        select roster_patient_id as listing, how, foreign_visits as visits from record_openings where person_id = ${personId}`)
    ).rows;
  expect(await openings()).toEqual([]);
  expect(await setMark(operator, facility.id, false)).toBe(true);
  expect(await openings()).toEqual([{ listing: listing.id, how: 'PART2_LIFTED', visits: 2 }]);
  expect(await verifyOpenings(app.database.pipeline)).toEqual([]);
  const params = { id: `${listing.id}_0` };
  const { accesses } = await reader.call('GET /api/patients/:id/accesses', { params, query: {} });
  expect(accesses.find(({ kind }) => kind === 'readable')?.opening).toMatchObject({ how: 'PART2_LIFTED', visits: 2 });
  const { rows } = await db.query(
    sql`select detail from audit_entries where action = 'group.change' and subject_id = ${facility.id} order by id desc limit 1`,
  );
  expect(rows).toEqual([
    { detail: { changes: { isPart2Facility: [true, false] }, opened: { persons: 1, visits: 2 } } },
  ]);
});

test('an administrator’s transaction cannot record openings', async () => {
  const { rows } = await app.database.app.query(sql`select from record_part2_lifted(1, null, ${clock.now()})`);
  expect(rows).toEqual([]);
});
