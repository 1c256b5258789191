/** What row-level security shows of accounts, their secrets and messages: to their user, to administrators, to operators, at the sign-in. */
import { expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { createSession } from '#server/people/accounts/sessions/sessions.ts';
import { forPurpose, forUser } from '#server/platform/database/settings.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { loadActor } from './actor.ts';
import { asActor } from './door.ts';

const { app, pipeline } = await testDatabase();
const now = () => new Date('2026-11-20T15:00:00Z');
const make = factories(pipeline, now);

const team = await make.team();
const [nurse, administrator] = [await make.user({ team }), await make.user({ team, role: 'administrator' })];
const foreign = await make.team();
const stranger = await make.user({ team: foreign, role: 'administrator' });
const operator = await make.user({ team: foreign, role: 'administrator', isOperator: true });
for (const { id, username } of [nurse, administrator, stranger, operator]) {
  await createSession(pipeline, id, now());
  await pipeline.query(sql`
    insert into account_tokens (token_hash, user_id, purpose, created_at, expires_at)
    values (sha256(convert_to(${username}, 'UTF8')), ${id}, 'PASSWORD_RESET', ${now()}, ${now()})`);
  await pipeline.query(
    sql`insert into password_history (user_id, password_hash, replaced_at) values (${id}, 'x', ${now()})`,
  );
}

const ids = async (db: Pick<typeof app, 'query'>, statement: Sql) =>
  (await db.query<{ id: string }>(statement)).rows.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b));
const USERS = sql`select id from users`;
const OWNERS = ['sessions', 'account_tokens', 'password_history', 'grants'] as const;
const ownersIn = (table: (typeof OWNERS)[number]): Sql =>
  ({
    sessions: sql`select user_id as id from sessions`,
    account_tokens: sql`select user_id as id from account_tokens`,
    password_history: sql`select user_id as id from password_history`,
    grants: sql`select user_id as id from grants`,
  })[table];

async function administering<T>(
  who: { id: string },
  teamId: string,
  fn: (tx: Pick<typeof app, 'query'>) => Promise<T>,
) {
  const actor = await loadActor(app, who.id, teamId);
  if (actor === null) throw new Error('No member');
  return asActor(app, actor, 'canManageUsers', fn);
}

test('a user sees the own account and nothing of anyone else’s', async () => {
  await forUser(nurse.id, async () => {
    expect(await ids(app, USERS)).toEqual([nurse.id]);
    for (const table of OWNERS) expect([table, await ids(app, ownersIn(table))]).toEqual([table, [nurse.id]]);
    const { rowCount } = await app.query(sql`update users set disabled_at = ${now()} where id <> ${nurse.id}`);
    expect(rowCount).toBe(0);
  });
});

test('a user acting for patients sees no other account either', async () => {
  const actor = await loadActor(app, nurse.id, team.id);
  if (actor === null) throw new Error('No member');
  expect(await asActor(app, actor, 'canViewPatients', (tx) => ids(tx, USERS))).toEqual([nurse.id]);
  expect(await asActor(app, actor, 'canManageUsers', (tx) => ids(tx, USERS))).toEqual([nurse.id]);
});

test('an administrator sees the accounts of the organization, without their old passwords', async () => {
  const colleagues = [nurse.id, administrator.id];
  await administering(administrator, team.id, async (tx) => {
    expect(await ids(tx, USERS)).toEqual(colleagues);
    for (const table of ['sessions', 'account_tokens', 'grants'] as const)
      expect([table, await ids(tx, ownersIn(table))]).toEqual([table, colleagues]);
    expect(await ids(tx, ownersIn('password_history'))).toEqual([administrator.id]);
    const { rowCount } = await tx.query(sql`update users set title = 'x' where id = ${stranger.id}`);
    expect(rowCount).toBe(0);
  });
});

test('an operator sees every account', async () => {
  const seen = await administering(operator, foreign.id, (tx) => ids(tx, USERS));
  expect(seen).toEqual([nurse.id, administrator.id, stranger.id, operator.id]);
});

test('no one becomes an operator or moves to another organization through the app’s role', async () => {
  const denied = { code: '42501' };
  const attempts: Sql[] = [
    sql`update users set is_operator = true where id = ${administrator.id}`,
    sql`update users set organization_id = ${stranger.organizationId} where id = ${administrator.id}`,
    sql`update users set username = 'x' where id = ${administrator.id}`,
    sql`insert into users (organization_id, username, first_name, last_name, application_experience, created_at, is_operator)
      values (${team.organizationId}, 'new@tidings.test', 'A', 'B', 'JANUS', ${now()}, true)`,
  ];
  for (const statement of attempts) {
    await expect(administering(administrator, team.id, (tx) => tx.query(statement))).rejects.toMatchObject(denied);
    await expect(administering(operator, foreign.id, (tx) => tx.query(statement))).rejects.toMatchObject(denied);
    await expect(forPurpose('sign-in', () => app.query(statement))).rejects.toMatchObject(denied);
  }
  const invite = sql`
    insert into users (organization_id, username, first_name, last_name, application_experience, created_at)
    values (${stranger.organizationId}, 'other@tidings.test', 'A', 'B', 'JANUS', ${now()})`;
  await expect(administering(administrator, team.id, (tx) => tx.query(invite))).rejects.toMatchObject(denied);
  await expect(forPurpose('sign-in', () => app.query(invite))).rejects.toMatchObject(denied);
});

test('a user gives no one rights, and an administrator none outside the organization', async () => {
  const [groupId] = team.groupIds;
  const grant = sql`
    insert into grants (user_id, team_id, group_id, role_id)
    select ${nurse.id}, team_id, group_id, role_id from grants where group_id = ${groupId} limit 1
    on conflict (user_id, team_id, group_id) do update set role_id = excluded.role_id`;
  await expect(forUser(nurse.id, () => app.query(grant))).rejects.toMatchObject({ code: '42501' });
  const { rowCount } = await administering(stranger, foreign.id, (tx) =>
    tx.query(sql`delete from grants where group_id = ${groupId}`),
  );
  expect(rowCount).toBe(0);
});

test('the directory can be read by everyone, and written only by the organization’s administrators', async () => {
  const [groupId = ''] = team.groupIds;
  const rename = sql`update groups set name = 'Renamed' where id = ${groupId}`;
  expect((await app.query(rename)).rowCount).toBe(0);
  expect((await forUser(nurse.id, () => app.query(rename))).rowCount).toBe(0);
  expect((await administering(stranger, foreign.id, (tx) => tx.query(rename))).rowCount).toBe(0);
  expect((await administering(administrator, team.id, (tx) => tx.query(rename))).rowCount).toBe(1);
});

test('a message is an administrator’s only if its feed or its facts are of their facilities', async () => {
  const [groupId = ''] = team.groupIds;
  const feedOf = async (application: string, groups: string[]) => {
    const group = { id: groups[0] ?? '', organizationId: team.organizationId };
    const feed = await make.feed({ group, application, identifier: 'A' });
    for (const [n, other] of groups.slice(1).entries())
      await make.feedFacility({ feedId: feed.id, groupId: other, identifier: `B${n}` });
    return feed.id;
  };
  const other = await make.group({ organizationId: team.organizationId, type: 'HOS' });
  const [own, shared] = [await feedOf('OWN', [groupId]), await feedOf('SHARED', [groupId, other.id])];
  await pipeline.query(`select ensure_partitions('2026-11-01', '2026-11-30')`);
  const store = async (feedId: string | null, status = 'APPLIED') => {
    const { rows } = await pipeline.query<{ id: string }>(sql`
      insert into messages (received_at, source, raw, digest, lane, feed_id, status)
      values (${now()}, 'MLLP', 'MSH', 'x', 1, ${feedId}, ${status}) returning id`);
    return rows[0]?.id ?? '';
  };
  const [whole, applied, foreignly, unknown] = [
    await store(own),
    await store(shared),
    await store(shared),
    await store(null, 'QUARANTINED'),
  ];
  for (const [message, facility] of [
    [applied, groupId],
    [foreignly, other.id],
  ] as const) {
    const { id } = await make.sourcePatient({ groupId: facility });
    await pipeline.query(sql`
      insert into facts (source_patient_id, message_id, ordinal, adt, received_at) values (${id}, ${message}, 0, '{}', ${now()})`);
  }
  const MESSAGES = sql`select id from messages`;
  const seenWith = (flag: Permission, who = administrator, inTeam = team.id) =>
    loadActor(app, who.id, inTeam).then((actor) => actor && asActor(app, actor, flag, (tx) => ids(tx, MESSAGES)));
  expect(await seenWith('canManageUsers')).toEqual([whole, applied]);
  expect(await seenWith('canViewPatients')).toEqual([]);
  expect(await seenWith('canManageUsers', nurse)).toEqual([]);
  expect(await seenWith('canManageUsers', stranger, foreign.id)).toEqual([]);
  expect(await seenWith('canManageUsers', operator, foreign.id)).toEqual([whole, applied, foreignly, unknown]);
});
