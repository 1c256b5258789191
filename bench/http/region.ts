/** Inserts people, visits, events and pings of one program with SQL, for the bench of the read model. All are invented. */
import { hashPassword } from '#server/people/accounts/passwords/password-hash.ts';
import * as directory from '#server/people/accounts/provisioning.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { emptyState } from '#server/record/fold/visit-state.ts';

export const USERNAMES = Array.from({ length: 6 }, (_, n) => `bench${n}@tidings.test`);
export const PASSWORD = 'correct horse battery';
const TIME_ZONE = 'America/New_York';
const STATE = JSON.stringify({
  ...emptyState(),
  flags: [],
  visitNumbers: [],
  accountNumbers: [],
  admitReason: 'Shortness of breath',
});
const DETAIL = JSON.stringify({
  priorSetting: null,
  pointOfCare: null,
  disposition: '01',
  dischargedTo: null,
  admitSource: '1',
  payer: null,
  inferred: false,
  factIds: [],
  backfill: false,
});

/** A person whose story is as long as stories get, and an ordinary one, by their ids as a page has them. */
export interface Stories {
  longest: string;
  ordinary: string;
}

const LONGEST = { visits: 250, diagnoses: 40 };

/** Creates one program with `people` people, 1.2 visits each over a year, three events per visit, and their pings. */
export async function fill(
  owner: Database,
  people: number,
): Promise<{ teamId: string; groupId: string; stories: Stories }> {
  const program = await createProgram(owner);
  const hospitals = await createHospitals(owner, program.organizationId);
  await owner.transaction((tx) => insertPeople(tx, { people, groupId: program.groupId, hospitals }));
  const longest = await owner.transaction((tx) => insertLongestStory(tx, program.groupId));
  const { rows } = await owner.query<{ id: string }>(sql`
    select r.id || '_' || max(e.id) as id from roster_patients r join encounters e on e.person_id = r.person_id
    where r.group_id = ${program.groupId} and r.person_id > 1 group by r.id order by r.id limit 1`);
  return { ...program, stories: { longest, ordinary: rows[0]?.id ?? '' } };
}

async function createProgram(owner: Database) {
  const now = new Date();
  const organizationId = await directory.createOrganization(owner, { name: 'Bench' }, now);
  const group = { organizationId, timeZone: TIME_ZONE, name: 'Program', type: 'PROGRAM' as const, facilityType: null };
  const groupId = await directory.createGroup(owner, group, now);
  const team = { organizationId, groupIds: [groupId], name: 'Bench', abbreviation: 'B', type: 'PROGRAM' as const };
  const teamId = await directory.createTeam(owner, team, now);
  const passwordHash = await hashPassword(PASSWORD);
  await directory.ensureStandardRoles(owner);
  for (const username of USERNAMES) {
    const user = { organizationId, username, firstName: 'Ama', lastName: 'Osei', passwordHash };
    const userId = await directory.createUser(owner, user, now);
    await directory.grantRole(owner, { userId, teamId, role: 'care coordinator' });
  }
  return { organizationId, teamId, groupId };
}

async function createHospitals(owner: Database, organizationId: string): Promise<string[]> {
  const hospitals: string[] = [];
  const common = { organizationId, timeZone: TIME_ZONE, type: 'HOS', facilityType: 'HOS', state: 'NY' } as const;
  for (let n = 0; n < 40; n += 1) {
    hospitals.push(await directory.createGroup(owner, { ...common, name: `Hospital ${n}` }, new Date()));
  }
  return hospitals;
}

interface Population {
  people: number;
  groupId: string;
  hospitals: string[];
}

async function insertPeople(tx: Transaction, { people, groupId, hospitals }: Population): Promise<void> {
  await tx.query(`select set_config('tidings.bulk', 'on', true)`);
  await tx.query(sql`insert into persons (created_at) select now() from generate_series(1, ${people}::int)`);
  await tx.query(sql`
    insert into roster_patients (group_id, member_id, person_id, first_name, last_name, date_of_birth, gender, city, zip, programs, practices,
      provider_first_name, provider_last_name, care_coordinators, tags, care_gaps, sort_first, sort_last, sound_last,
      listed_at, opens_from)
    select ${groupId}, 'M' || n, n, 'First' || n % 997, 'Last' || n % 5003, date '1930-01-01' + (n * 7) % 25000,
      (array['Female', 'Male'])[1 + n % 2], 'City ' || n % 80, (49000 + n % 300)::text, array['Program ' || n % 12],
      array['Practice ' || n % 200], 'Ann', 'Provider ' || n % 900, array['Coordinator ' || n % 40],
      case when n % 5 = 0 then array['Diabetes'] else '{}' end, case when n % 4 = 0 then array['Eye exam', 'Flu shot'] else '{}' end,
      'first' || n % 997, 'last' || n % 5003, 'S' || n % 1000, now(), now() - interval '12 months'
    from generate_series(1, ${people}::int) n`);
  await tx.query(sql`
    insert into source_patients (group_id, record_number, dossier_id, person_id, demographics, created_at)
    select (${hospitals}::bigint[])[1 + n % 40], 'R' || n, n, n, '{}', now() from generate_series(1, ${people}::int) n`);
  await tx.query(sql`
    insert into encounters (group_id, source_patient_id, person_id, status, setting, admitted_at, discharged_at, state, created_at, updated_at)
    select s.group_id, s.id, s.person_id, status, setting, at, over, ${STATE}::jsonb || jsonb_build_object('status', status, 'setting', setting,
        'admittedAt', jsonb_build_object('instant', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'localDate', to_char(at, 'YYYY-MM-DD'), 'precision', 'minute'),
        'dischargedAt', case when over is not null then jsonb_build_object('instant', to_char(over, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'localDate', to_char(over, 'YYYY-MM-DD'), 'precision', 'minute') end,
        'diagnoses', jsonb_build_array(
          jsonb_build_object('code', 'I' || n % 700, 'codeSystem', 'I10', 'description', 'Illness ' || n % 700, 'type', 'F', 'priority', 1),
          jsonb_build_object('code', 'E' || n % 300, 'codeSystem', 'I10', 'description', 'Disorder ' || n % 300, 'type', 'A', 'priority', 2))),
      now(), now()
    from generate_series(1, (${people}::int * 1.2)::int) n
      join source_patients s on s.person_id = 1 + (n * 31) % ${people}::int
      cross join lateral (select now() - (n * 37 % 500000) * interval '1 minute' as at, n % 20 = 0 as is_open,
        (array['INPATIENT', 'EMERGENCY', 'SNF', 'OBSERVATION'])[1 + n % 4] as setting) a
      cross join lateral (select case when is_open then 'IN_PROGRESS' else 'FINISHED' end as status,
        case when is_open then null else at + (n % 9) * interval '1 day' end as over) b`);
  await tx.query(sql`
    insert into events (encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at)
    select e.id, code, code, at, 'minute', at::date, 'ACTIVE', e.setting, ${DETAIL}, false, at
    from encounters e cross join lateral (values ('ADMIT', e.admitted_at), ('TRANSFER', e.admitted_at + interval '3 hours'),
      ('DISCHARGE', e.discharged_at)) as v (code, at) where at is not null`);
  await tx.query(sql`
    insert into pings (event_id, group_id, roster_patient_id, encounter_id, event_at, state, is_current, is_late, created_at, management_status)
    select v.id, ${groupId}, r.id, e.id, v.event_at, 'ACTIVE',
      row_number() over (partition by e.id order by v.event_at desc, v.id desc) = 1, false, v.event_at,
      case when v.event_at > now() - interval '20 days' then 'NEW' else 'RESOLVED' end
    from encounters e join events v on v.encounter_id = e.id join roster_patients r on r.person_id = e.person_id`);
}

/** Gives the first person further visits over eight years, each with as many diagnoses as are kept. Returns the id of the person's page. */
async function insertLongestStory(tx: Transaction, groupId: string): Promise<string> {
  await tx.query(`select set_config('tidings.bulk', 'on', true)`);
  await tx.query(sql`
    with added as (
      insert into encounters (group_id, source_patient_id, person_id, status, setting, admitted_at, discharged_at, state, created_at, updated_at)
      select s.group_id, s.id, s.person_id, 'FINISHED', setting, at, over, ${STATE}::jsonb || jsonb_build_object('status', 'FINISHED', 'setting', setting,
          'admittedAt', jsonb_build_object('instant', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'localDate', to_char(at, 'YYYY-MM-DD'), 'precision', 'minute'),
          'dischargedAt', jsonb_build_object('instant', to_char(over, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'localDate', to_char(over, 'YYYY-MM-DD'), 'precision', 'minute'),
          'diagnoses', (select jsonb_agg(jsonb_build_object('code', 'S' || (n * 7 + d) % 900, 'codeSystem', 'I10', 'description', 'Injury ' || (n * 7 + d) % 900, 'type', 'F', 'priority', d))
            from generate_series(1, ${LONGEST.diagnoses}::int) d)),
        now(), now()
      from generate_series(1, ${LONGEST.visits}::int) n
        join source_patients s on s.person_id = 1
        cross join lateral (select now() - n * interval '11 days' as at, (array['INPATIENT', 'EMERGENCY', 'OBSERVATION'])[1 + n % 3] as setting) a
        cross join lateral (select at + interval '2 days' as over) b
      returning id, setting, admitted_at, discharged_at),
    told as (
      insert into events (encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at)
      select e.id, code, code, at, 'minute', at::date, 'ACTIVE', e.setting, ${DETAIL}, false, at
      from added e cross join lateral (values ('ADMIT', e.admitted_at), ('DISCHARGE', e.discharged_at)) as v (code, at)
      returning id, encounter_id, event_at)
    insert into pings (event_id, group_id, roster_patient_id, encounter_id, event_at, state, is_current, is_late, created_at, management_status)
    select v.id, ${groupId}, r.id, v.encounter_id, v.event_at, 'ACTIVE',
      row_number() over (partition by v.encounter_id order by v.event_at desc, v.id desc) = 1, false, v.event_at, 'RESOLVED'
    from told v, roster_patients r where r.person_id = 1 and r.group_id = ${groupId}`);
  const { rows } = await tx.query<{ id: string }>(sql`
    select r.id || '_' || max(e.id) as id from roster_patients r join encounters e on e.person_id = r.person_id
    where r.person_id = 1 and r.group_id = ${groupId} group by r.id`);
  return rows[0]?.id ?? '';
}
