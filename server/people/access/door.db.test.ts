import { describe, expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { sql } from '#server/platform/database/sql.ts';
import { actorWith } from '#server/testing/actors.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { loadActor } from './actor.ts';
import { asActor } from './door.ts';

const { app, owner, pipeline } = await testDatabase();
const now = () => new Date('2026-11-20T15:00:00Z');
const make = factories(pipeline, now);

const TABLES = [
  'roster_patients',
  'pings',
  'management_statuses',
  'roster_uploads',
  'roster_upload_rows',
  'record_openings',
  'identity_attempts',
  'encounters',
  'events',
  'source_patients',
  'match_reviews',
  'consents',
];
const count = async (db: Pick<typeof app, 'query'>, table: string): Promise<unknown> =>
  (await db.query(`select count(*)::int as n from ${table}`)).rows[0]?.['n'];

async function makePingWithHistory() {
  const ping = await make.ping();
  const { rows } = await pipeline.query<{ id: string }>(sql`
    insert into roster_uploads (group_id, status, username, file_name, created_at)
    values (${ping.groupId}, 'DONE', 'rosa', 'a.csv', ${now()}) returning id`);
  await pipeline.query(sql`
    insert into roster_upload_rows (upload_id, row_number, member_id, cells) values (${rows[0]?.id}, 1, 'M', '{}')`);
  await pipeline.query(sql`
    insert into match_reviews (subject, subject_id, group_id, candidates, created_at)
    values ('ROSTER_PATIENT', ${ping.rosterPatientId}, ${ping.groupId}, '[]', ${now()})`);
  await pipeline.query(sql`
    insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
    select person_id, group_id, ${ping.groupId}, ${now()} from encounters where id = ${ping.encounterId}`);
  await pipeline.query(sql`
    insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, username, changed_at)
    values (${ping.eventId}, ${[ping.groupId]}, ${[ping.id]}, 'RESOLVED', '{}', 'rosa', ${now()})`);
  await pipeline.query(sql`
    insert into record_openings (at, person_id, group_id, roster_patient_id, how, opens_from, foreign_visits)
    values (${now()}, ${ping.personId}, ${ping.groupId}, ${ping.rosterPatientId}, 'FEED', ${now()}, 1)`);
  await pipeline.query(sql`
    insert into identity_attempts (group_id, keys, guesses, at) values (${ping.groupId}, '{1}', '{2}', ${now()})`);
  return ping;
}

describe('the app’s role', () => {
  test('sees no row that belongs to a group unless it acts for a user', async () => {
    await makePingWithHistory();
    for (const table of TABLES) {
      expect([table, await count(app, table)]).toEqual([table, 0]);
      expect([table, await count(pipeline, table)]).not.toEqual([table, 0]);
    }
  });

  test('sees the rows of the actor’s groups, and only inside that transaction', async () => {
    const [mine] = [await makePingWithHistory(), await makePingWithHistory()];
    const actor = actorWith(new Map([[mine.groupId, new Set<Permission>(['canViewPings'])]]));
    for (const table of TABLES) {
      expect([table, await asActor(app, actor, 'canViewPings', (tx) => count(tx, table))]).toEqual([table, 1]);
      expect([table, await asActor(app, actor, 'canManagePings', (tx) => count(tx, table))]).toEqual([table, 0]);
      expect([table, await count(app, table)]).toEqual([table, 0]);
    }
    const other = await make.group();
    const writeForAnotherGroup = asActor(app, actor, 'canViewPings', (tx) =>
      tx.query(sql`
        insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, username, changed_at)
        values (${mine.eventId}, ${[mine.groupId, other.id]}, ${[mine.id]}, 'NEW', '{}', 'rosa', ${now()})`),
    );
    await expect(writeForAnotherGroup).rejects.toMatchObject({ code: '42501' });
  });

  test('is subject to row-level security and owns nothing, like the pipeline’s role', async () => {
    const roles = await owner.query(
      `select rolname from pg_roles where rolname in ('tidings_app', 'tidings_pipeline', 'tidings_owner')
         and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`,
    );
    expect(roles.rows).toEqual([]);
    const owned = await owner.query(
      `select relname from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname in ('tidings_app', 'tidings_pipeline')`,
    );
    expect(owned.rows).toEqual([]);
    const open = await owner.query(
      `select relname from pg_class where relname = any ($1) and relnamespace = 'tidings'::regnamespace and not relrowsecurity`,
      [TABLES],
    );
    expect(open.rows).toEqual([]);
  });
});

describe('an actor', () => {
  test('holds each group’s role, plus the added flags and minus the removed ones', async () => {
    const team = await make.team({ groupIds: undefined });
    const user = await make.user({ team, role: 'viewer', added: ['canUploadRoster'], removed: ['canViewPings'] });
    const actor = await loadActor(app, user.id, team.id);
    expect(actor).toMatchObject({
      userId: user.id,
      username: user.username,
      displayName: 'Ama Osei',
      timeZone: 'America/New_York',
      teamId: team.id,
    });
    expect(actor?.groupsWith('canUploadRoster')).toEqual(team.groupIds);
    expect([actor?.can('canViewPatients'), actor?.can('canViewPings'), actor?.can('canManageUsers')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('is null in another team, in a team that does not exist, and once disabled', async () => {
    const user = await make.user({ team: await make.team() });
    expect(await loadActor(app, user.id, (await make.team()).id)).toBeNull();
    expect(await loadActor(app, user.id, '9223372036854775807')).toBeNull();
    const team = await make.team();
    const gone = await make.user({ team });
    await owner.query(sql`update users set disabled_at = ${now()} where id = ${gone.id}`);
    expect(await loadActor(app, gone.id, team.id)).toBeNull();
  });

  test('loses a removed permission with the next call', async () => {
    const team = await make.team();
    const user = await make.user({ team });
    expect((await loadActor(app, user.id, team.id))?.can('canManagePings')).toBe(true);
    await pipeline.query(sql`update grants set removed = '{canManagePings}' where user_id = ${user.id}`);
    expect((await loadActor(app, user.id, team.id))?.can('canManagePings')).toBe(false);
  });
});
