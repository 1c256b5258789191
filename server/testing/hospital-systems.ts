/** The scene of tests about hospitals of one feed that number their patients together. */
import { randomUUID } from 'node:crypto';
import type { AdtParts } from './hospital.ts';
import { pipelineScene, type Region } from './pipeline-scene.ts';

/** PID-3.4 and MRG-1.4, in two spellings. */
const SYSTEM = { authority: 'SYSTEM', priorAuthority: 'system ' };

/** A patient at a hospital, as stored. */
interface StoredPatient {
  record: string;
  family: string | null;
  deceased: boolean;
}

/** A visit at the second hospital that is not canceled. `isSurvivors`: it is the same person's as record number MR-1 of the first. */
interface StoredStay {
  record: string;
  visit: string;
  status: string;
  isSurvivors: boolean;
}

export interface HospitalSystem extends Region {
  /** Returns a message about the patient MR-1, without PV1. */
  update: Region['message'];
  /** Places a message at the second hospital. */
  there: Partial<AdtParts>;
  /** The second hospital, and a third that sees none of the patients. */
  other: string;
  third: string;
  stays: () => Promise<StoredStay[]>;
  patients: (groupId: string) => Promise<StoredPatient[]>;
  /** Returns the events of pings that are not canceled. */
  active: (groupId: string) => Promise<string[]>;
}

export async function hospitalSystems() {
  const scene = await pipelineScene();
  const { database, hosp, make, region } = scene;
  const { pipeline: db } = database;

  /** `more`: parts of every message. */
  async function system(more: Partial<AdtParts> = SYSTEM, { isPart2 = false } = {}): Promise<HospitalSystem> {
    const where = await region({ isPart2 });
    const [other, third] = [await make.group({ type: 'HOS', facilityType: 'HOS' }), await make.group({ type: 'HOS' })];
    const code = `S-${randomUUID().slice(0, 8)}`;
    await db.query(
      `insert into feed_facilities (feed_id, identifier, group_id)
       select feed_id, i, g from feed_facilities, unnest($1::text[], $2::bigint[]) as n (i, g) where group_id = $3`,
      [[code, `T-${code}`], [other.id, third.id], where.facility],
    );
    const message: Region['message'] = (trigger, at, parts = {}) => where.message(trigger, at, { ...more, ...parts });
    const stays = async () => (await db.query<StoredStay>(STAYS, [where.facility, other.id])).rows;
    const patients = async (groupId: string) => (await db.query<StoredPatient>(PATIENTS, [groupId])).rows;
    return {
      ...where,
      message,
      update: (trigger, at, parts = {}) => message(trigger, at, { noVisit: true, visit: '', ...parts }),
      stays,
      patients,
      active: async (groupId) =>
        (await hosp.pings(groupId))
          .filter((ping) => !ping.includes('CANCELLED'))
          .map((ping) => ping.split(' ')[0] ?? ''),
      other: other.id,
      third: third.id,
      there: { placedAt: code },
    };
  }

  return { ...scene, system };
}

const STAYS = `
select s.record_number as record, e.visit_number as visit, e.status,
  e.person_id = (select person_id from source_patients where group_id = $1 and record_number = 'MR-1') as "isSurvivors"
from encounters e join source_patients s on s.id = e.source_patient_id
where e.group_id = $2 and e.status <> 'CANCELLED' order by e.visit_number`;

const PATIENTS = `
select record_number as record, demographics #>> '{name,family}' as family, deceased from source_patients
where group_id = $1 order by record_number`;
