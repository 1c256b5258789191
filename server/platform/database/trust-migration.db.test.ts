import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { migrateUpTo } from '#server/testing/migrate-up-to.ts';
import { migrate } from './migrate.ts';

const LAST_BEFORE = '0013_email_domains.sql';
const NAME = '0014_trust.sql';
const database = await testDatabase({ isMigrated: false });
const { owner } = database;

/** Group 1: its roster was applied. 2: it has none. 3: a facility that entered a patient by hand on November 10. */
const BEFORE = `
insert into organizations (name, created_at) values ('Heron', '2026-01-01');
insert into groups (organization_id, name, type, facility_type, time_zone, created_at) values
  (1, 'Listed', 'PROGRAM', null, 'UTC', '2026-01-01'), (1, 'New', 'PROGRAM', null, 'UTC', '2026-01-01'),
  (1, 'Home', 'SNF', 'SNF', 'UTC', '2026-01-01');
insert into roster_uploads (group_id, status, username, file_name, created_at, applied_at) values
  (1, 'DONE', 'rosa', 'a.csv', '2026-02-01', '2026-02-02'), (2, 'AWAITING_CONFIRMATION', 'rosa', 'a.csv', '2026-02-01', null);
insert into persons (is_provisional, created_at) values (false, '2026-01-01');
insert into roster_patients (group_id, member_id, person_id, first_name, last_name, gender, sort_first, sort_last, listed_at, content_hash)
values (1, 'M', 1, 'Ada', 'Probe', 'Female', 'ada', 'probe', '2026-02-02', 'x'), (3, 'R', 1, 'Ada', 'Probe', 'Female', 'ada', 'probe', '2026-11-12', null);
insert into source_patients (group_id, record_number, dossier_id, person_id, demographics, created_at) values (3, 'R', 1, 1, '{}', '2026-11-12');
insert into encounters (group_id, source_patient_id, person_id, status, setting, state, created_at, updated_at)
values (3, 1, 1, 'IN_PROGRESS', 'SNF', '{}', '2026-11-12', '2026-11-12');
insert into facts (source_patient_id, message_id, ordinal, adt, manual_code, received_at) values (1, 1, 0, '{"trigger": "MANUAL"}', 'ADMIT', '2026-11-12');
insert into events (encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at)
values (1, 'k', 'ADMIT', '2026-11-10', 'minute', '2026-11-10', 'ACTIVE', 'SNF', '{}', true, '2026-11-12')`;

test('groups and listings from before keep working: approved, and open from the dates that the rule gives them', async () => {
  await migrateUpTo(database, LAST_BEFORE);
  for (const statement of BEFORE.split(';')) await owner.query(statement);
  expect(await migrateUpTo(database, NAME)).toEqual([NAME]);

  const groups = await owner.query('select roster_approved_at::date::text as day from groups order by id');
  expect(groups.rows).toEqual([{ day: '2026-02-02' }, { day: null }, { day: null }]);
  const listings = await owner.query('select opens_from::date::text as day from roster_patients order by id');
  expect(listings.rows).toEqual([{ day: '2025-02-02' }, { day: '2026-11-10' }]);
  const uploads = await owner.query('select waits_for as waits from roster_uploads order by id');
  expect(uploads.rows).toEqual([{ waits: null }, { waits: 'CONFIRMATION' }]);
});

test('facilities from before approvals keep their manual entry, and programs wait as they did', async () => {
  await migrate(database.urls.owner);
  const groups = await owner.query('select approved_at::date::text as day from groups order by id');
  expect(groups.rows).toEqual([{ day: '2026-02-02' }, { day: null }, { day: '2026-01-01' }]);
});
