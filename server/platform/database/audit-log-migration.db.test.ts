import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { migrateUpTo } from '#server/testing/migrate-up-to.ts';

const LAST_BEFORE = '0122_reports.sql';
const NAME = '0124_organization_of_entries.sql';
const database = await testDatabase({ isMigrated: false });
const { owner } = database;

/** User 1 is of organization 1, with group 1; user 2 of organization 2. */
const BEFORE = `
create table audit_entries_2026_11 partition of audit_entries for values from ('2026-11-01') to ('2026-12-01');
insert into organizations (name, created_at) values ('Heron', '2026-01-01'), ('Lakeside', '2026-01-01');
insert into users (organization_id, username, first_name, last_name, application_experience, created_at) values
  (1, 'a@heron.example', 'A', 'A', 'JANUS', '2026-01-01'), (2, 'b@lakeside.example', 'B', 'B', 'JANUS', '2026-01-01');
insert into groups (organization_id, name, type, time_zone, created_at) values (1, 'Program', 'PROGRAM', 'UTC', '2026-01-01');
insert into audit_entries (at, user_id, action, subject, subject_id) values
  ('2026-11-02', 2, 'group.change', 'group', 1), ('2026-11-02', 1, 'sso-connection.remove', 'sso-connection', 99),
  ('2026-11-02', 1, 'sign-in', 'user', 1), ('2026-11-02', null, 'sign-in.failed', 'user', 2),
  ('2026-11-02', null, 'sign-in.failed', 'user', null), ('2026-11-02', 2, 'access.refused', 'user', 1),
  ('2026-11-02', 1, 'patient.view', 'patient', 1), ('2026-11-02', 1, 'tags.list', 'team', 1)`;

test('entries from before are in the log of the organization that those since then are in', async () => {
  await migrateUpTo(database, LAST_BEFORE);
  for (const statement of BEFORE.split(';')) await owner.query(statement);
  expect(await migrateUpTo(database, NAME)).toEqual([NAME]);
  await owner.query(`
    insert into audit_entries (at, user_id, action, subject, subject_id, in_log)
    select at, user_id, action, subject, subject_id, in_log from audit_entries order by id`);

  const { rows } = await owner.query<{ logged: string }>(
    `select action || ' ' || in_log || ' ' || coalesce(organization_id, 0) as logged from audit_entries order by id`,
  );
  const logged = rows.map((row) => row.logged);
  expect(logged.slice(0, 8)).toEqual([
    'group.change true 1',
    'sso-connection.remove true 1',
    'sign-in true 1',
    'sign-in.failed true 2',
    'sign-in.failed true 0',
    'access.refused true 2',
    'patient.view false 0',
    'tags.list false 0',
  ]);
  expect(logged.slice(8)).toEqual(logged.slice(0, 8));
});
