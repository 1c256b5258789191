/** Teams with patients, and sessions of their users, for the bench of open pages. All are invented. */
import * as directory from '#server/people/accounts/provisioning.ts';
import { createSession } from '#server/people/accounts/sessions/sessions.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export const TEAMS = 25;
const USERS = 4;
/** As many as one user may have open. */
const PAGES = 10;
const PEOPLE = 200;
const TIME_ZONE = 'America/New_York';

/** An open page: the headers of its stream, and its team. */
export interface OpenPage {
  cookie: string;
  teamId: string;
}

/** Someone with a ping. */
export interface Pinged {
  eventId: string;
  groupId: string;
  personId: string;
}

/** Creates teams of one program each, with people who are in a hospital, and a ping about each. */
export async function fillTeams(db: Database): Promise<{ pages: OpenPage[]; pinged: Pinged[] }> {
  const now = new Date();
  const organizationId = await directory.createOrganization(db, { name: 'Bench' }, now);
  await directory.ensureStandardRoles(db);
  const common = { organizationId, timeZone: TIME_ZONE };
  const hospital = { ...common, name: 'Hospital', type: 'HOS', facilityType: 'HOS', state: 'NY' } as const;
  const hospitalId = await directory.createGroup(db, hospital, now);
  const pages: OpenPage[] = [];
  const groupIds: string[] = [];
  for (let n = 0; n < TEAMS; n += 1) {
    const program = { ...common, name: `Program ${n}`, type: 'PROGRAM', facilityType: null } as const;
    const groupId = await directory.createGroup(db, program, now);
    groupIds.push(groupId);
    pages.push(...(await openPages(db, { organizationId, groupId, name: `Team ${n}` }, now)));
  }
  await db.transaction((tx) => insertPinged(tx, groupIds, hospitalId));
  const { rows: pinged } = await db.query<Pinged>(sql`
    select p.event_id as "eventId", p.group_id as "groupId", r.person_id as "personId"
    from pings p join roster_patients r on r.id = p.roster_patient_id order by p.id`);
  return { pages, pinged };
}

async function openPages(
  db: Database,
  { organizationId, groupId, name }: { organizationId: string; groupId: string; name: string },
  now: Date,
): Promise<OpenPage[]> {
  const team = { organizationId, groupIds: [groupId], name, abbreviation: 'B', type: 'PROGRAM' } as const;
  const teamId = await directory.createTeam(db, team, now);
  const pages: OpenPage[] = [];
  for (let n = 0; n < USERS; n += 1) {
    const username = `bench-${teamId}-${n}@tidings.test`;
    const user = { organizationId, username, firstName: 'Ama', lastName: 'Osei', passwordHash: 'none' };
    const userId = await directory.createUser(db, user, now);
    await directory.grantRole(db, { userId, teamId, role: 'care coordinator' });
    const cookie = `tidings_session=${await createSession(db, userId, now)}`;
    pages.push(...Array.from({ length: PAGES }, () => ({ cookie, teamId })));
  }
  return pages;
}

async function insertPinged(tx: Transaction, groupIds: readonly string[], hospitalId: string): Promise<void> {
  const people = groupIds.length * PEOPLE;
  await tx.query(`select set_config('tidings.bulk', 'on', true)`);
  await tx.query(sql`insert into persons (created_at) select now() from generate_series(1, ${people}::int)`);
  await tx.query(sql`
    insert into roster_patients (group_id, member_id, person_id, first_name, last_name, date_of_birth, gender, sort_first, sort_last, sound_last,
      listed_at, opens_from)
    select (${groupIds}::bigint[])[1 + n % ${groupIds.length}::int], 'M' || n, n, 'First', 'Last' || n, '1950-01-01', 'Female', 'first', 'last' || n,
      'S' || n, now(), now() - interval '12 months'
    from generate_series(1, ${people}::int) n`);
  await tx.query(sql`
    insert into source_patients (group_id, record_number, dossier_id, person_id, demographics, created_at)
    select ${hospitalId}, 'R' || n, n, n, '{}', now() from generate_series(1, ${people}::int) n`);
  await tx.query(sql`
    insert into encounters (group_id, source_patient_id, person_id, status, setting, admitted_at, state, created_at, updated_at)
    select s.group_id, s.id, s.person_id, 'IN_PROGRESS', 'INPATIENT', now(),
      '{"status":"IN_PROGRESS","setting":"INPATIENT","diagnoses":[],"flags":[],"payers":[]}', now(), now()
    from source_patients s`);
  await tx.query(sql`
    insert into events (encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at)
    select e.id, 'ADMIT', 'ADMIT', now(), 'minute', current_date, 'ACTIVE', e.setting, '{}', false, now() from encounters e`);
  await tx.query(sql`
    insert into pings (event_id, group_id, roster_patient_id, encounter_id, event_at, state, is_current, is_late, created_at, management_status)
    select v.id, r.group_id, r.id, e.id, v.event_at, 'ACTIVE', true, false, v.event_at, 'NEW'
    from encounters e join events v on v.encounter_id = e.id join roster_patients r on r.person_id = e.person_id`);
}
