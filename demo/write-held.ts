import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { admitHeld } from '#server/record/listings/held.ts';
import { holdPatient, type PreAdmitDeps } from '#server/work/pre-admit/pre-admit.ts';
import { type DemoDirectory, idOf } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';

const HOUR = 3_600_000;
const ADMISSIONS: Seat = { user: 'walt.kimura', team: 'oak-hollow-nursing' };
/** How many hours ago each patient of the hospital was held. */
const HELD_AGO = [3, 9, 27, 50, 64];
/** Somebody whom no list in the region has. */
const UNKNOWN = { firstName: 'Theodora', lastName: 'Van Wyngarden', gender: 'Female', dob: '1943-09-30' } as const;

interface Expected {
  firstName: string;
  lastName: string;
  gender: 'Female' | 'Male' | 'Other' | 'Unknown';
  dob: string;
  zip: string | null;
  ssn: string | null;
  sourcePatientId: string;
  at: string;
}

const DETAILS = sql`r.first_name as "firstName", r.last_name as "lastName", r.gender, r.date_of_birth as dob, left(r.zip, 5) as zip,
  r.ssn_last4 as ssn, e.source_patient_id as "sourcePatientId", e.admitted_at as at`;

/** Patients in the region's hospital whom a nursing facility may get next, those there the longest first. */
async function inHospital(db: Database, directory: DemoDirectory): Promise<Expected[]> {
  const { rows } = await db.query<Expected>(sql`
    select ${DETAILS} from encounters e join roster_patients r on r.person_id = e.person_id and r.left_at is null
    where e.group_id = ${idOf(directory.groups, 'mercy')} and r.group_id = ${idOf(directory.groups, 'lakeshore-aco')}
      and e.status = 'IN_PROGRESS' and e.setting = 'INPATIENT' and r.date_of_birth is not null
      and not exists (select from roster_patients own where own.person_id = r.person_id and own.group_id = ${idOf(directory.groups, 'oak-hollow')})
    order by e.admitted_at, e.id limit ${HELD_AGO.length}`);
  return rows;
}

/** The patient who came to the nursing facility last. */
async function lastArrived(db: Database, directory: DemoDirectory, now: Date): Promise<Expected[]> {
  const { rows } = await db.query<Expected>(sql`
    select ${DETAILS} from encounters e join roster_patients r on r.person_id = e.person_id and r.group_id = e.group_id and r.left_at is null
    where e.group_id = ${idOf(directory.groups, 'oak-hollow')} and e.status = 'IN_PROGRESS' and r.date_of_birth is not null
      and e.admitted_at between ${new Date(now.getTime() - 60 * HOUR)} and ${now}
    order by e.admitted_at desc, e.id limit 1`);
  return rows;
}

/** Holds patients of the hospital at the nursing facility, as its staff do, one who is in no list, and one who has arrived since. */
export async function writeHeld(deps: PreAdmitDeps, directory: DemoDirectory, now: Date): Promise<void> {
  const actor = await seated(deps.db, directory, ADMISSIONS);
  const groupId = idOf(directory.groups, 'oak-hollow');
  const hold = (at: Date, { firstName, lastName, gender, dob, zip, ssn }: Omit<Expected, 'sourcePatientId' | 'at'>) =>
    holdPatient(deps, { actor, now: at, requestId: 'demo' }, { groupId, firstName, lastName, gender, dob, zip, ssn });
  for (const [n, one] of (await inHospital(deps.pipeline, directory)).entries())
    await hold(new Date(now.getTime() - (HELD_AGO[n] ?? 1) * HOUR), one);
  await hold(new Date(now.getTime() - HOUR), { ...UNKNOWN, zip: null, ssn: null });
  for (const one of await lastArrived(deps.pipeline, directory, now)) {
    await hold(new Date(Date.parse(one.at) - 10 * HOUR), one);
    await deps.pipeline.transaction((tx) => admitHeld(tx, [one.sourcePatientId], new Date(one.at)));
  }
}
