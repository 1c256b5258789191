import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { assign, listed, startStays } from '#server/testing/stays.ts';

const { app, make, stay, teamOf } = await startStays();
const NEW = { managementStatus: 'NEW' };
const own = (id: string) => ({ ...NEW, owner: id });

/** A team with three members, the first of whom has taken two stays; an administrator; and another team of the first. */
async function scene() {
  const { groupId, members, first, team } = await teamOf(3);
  const [, second, third] = members as [typeof first, typeof first, typeof first];
  const admin = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const stays = [await stay(groupId), await stay(groupId)];
  for (const each of stays) await assign(first.client, each, first.id);
  return { team, first, second, third, admin, patientIds: stays.map(({ patientId }) => patientId).toSorted() };
}

const detailOf = async (id: string) =>
  (
    await app.database.pipeline.query<{ detail: { stays?: object[] } }>(
      sql`select detail from audit_entries where action = 'user.disable' and subject_id = ${id}`,
    )
  ).rows[0]?.detail;

test('who disables an account learns what its user has taken, and gives it to a colleague in the same change', async () => {
  const { team, first, second, third, admin, patientIds } = await scene();
  const [taken, ...others] = await admin.call('POST /api/admin/users/stays', { body: { ids: [first.id, third.id] } });
  expect(others).toEqual([]);
  expect(taken).toMatchObject({ team: { id: team.id }, stays: 2, open: 2 });
  const offered = taken?.colleagues.map(({ id }) => id);
  expect(offered).toContain(second.id);
  expect(offered).not.toContain(first.id);
  expect(offered).not.toContain(third.id);

  const change = { kind: 'DISABLE' as const, stays: [{ teamId: team.id, toUserId: second.id }] };
  expect(await admin.call('POST /api/admin/users/change', { body: { ids: [first.id], change } })).toEqual({
    changed: [first.id],
    refused: [],
  });
  expect((await listed(second.client, own(second.id))).toSorted()).toEqual(patientIds);
  const history = await second.client.call('GET /api/patients/:id/work-history', {
    params: { id: patientIds[0] ?? '' },
  });
  expect(history[0]?.kind).toBe('HAND_OVER');
  expect(await detailOf(first.id)).toMatchObject({
    stays: [
      {
        teamId: team.id,
        toUserId: second.id,
        to: history[0]?.after.owner,
        encounterIds: [expect.any(String), expect.any(String)],
      },
    ],
  });
});

test('stays that are given to no one are no one’s, also without a choice', async () => {
  const { first, second, admin, patientIds } = await scene();
  await admin.call('POST /api/admin/users/:id/disable', { params: { id: first.id } });
  expect((await listed(second.client, { ...NEW, owner: 'NONE' })).toSorted()).toEqual(patientIds);
});

test('stays go only to an active colleague on the team; else nothing is changed', async () => {
  const { team, first, second, admin } = await scene();
  const stranger = await make.user({});
  for (const toUserId of [first.id, stranger.id]) {
    const change = { kind: 'DISABLE' as const, stays: [{ teamId: team.id, toUserId }] };
    const { refused } = await admin.call('POST /api/admin/users/change', { body: { ids: [first.id], change } });
    expect(refused).toMatchObject([{ id: first.id, errorKey: 'BAD_REQUEST' }]);
  }
  expect(await listed(first.client, own(first.id))).toHaveLength(2);
  const elsewhere = await scene();
  expect(await elsewhere.admin.call('POST /api/admin/users/stays', { body: { ids: [first.id] } })).toEqual([]);
  expect(await errorOf(second.client, 'POST /api/admin/users/stays', { body: { ids: [first.id] } })).toMatchObject({
    errorKey: 'NOT_PERMITTED',
  });
});
