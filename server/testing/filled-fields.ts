/** Which fields of the specification have a value somewhere in the demo region, as its users read them. */

import { type DemoDirectory, idOf } from '#demo/directory.ts';
import type { Region } from '#demo/world/region-types.ts';
import { type Actor, loadActor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { statusHistory } from '#server/record/pings/change-status.ts';
import { careTeamOf } from '#server/work/care/queries.ts';
import { getPatientDetails } from '#server/work/details/patient-details.ts';
import { linksOf } from '#server/work/details/queries.ts';
import { SPECIFICATION_FIELDS, type SpecifiedEntity, type SpecifiedName } from './specification-fields.ts';

const ENTITIES = SPECIFICATION_FIELDS as Record<SpecifiedName, SpecifiedEntity>;

/**
 * Returns the fields, as 'Entity: field', that have a value for none of the patients. `most`: patients to read for each user. Reads no more of
 * them once only `expected` are left.
 */
export async function neverFilled(
  app: Database,
  { region, directory }: { region: Region; directory: DemoDirectory },
  { now, most, expected }: { now: Date; most: number; expected: readonly string[] },
): Promise<string[]> {
  const names = Object.keys(ENTITIES) as SpecifiedName[];
  const missing = new Set(names.flatMap((name) => ENTITIES[name].fields.map((field) => `${name}: ${field}`)));
  const missingOf = (name: SpecifiedName) => ENTITIES[name].fields.filter((field) => missing.has(`${name}: ${field}`));
  const fields: Fields = {
    isMissing: (name) => missingOf(name).length > 0,
    note: (name, value) => {
      for (const field of missingOf(name)) {
        if (valuesAt(value, field.split('.')).some(isFilled)) missing.delete(`${name}: ${field}`);
      }
    },
  };
  const readers = await readersOf(app, { region, directory }, most);
  for (let n = 0; n < most; n += 1) {
    for (const { actor, ids } of readers) {
      if ([...missing].every((field) => expected.includes(field))) return [...missing];
      const id = ids[n];
      if (id === undefined) continue;
      const personId = await asActor(app, actor, 'canViewPatients', (tx) => notePatient(tx, id, now, fields));
      if (!actor.can('canManageUsers')) continue;
      const links = await asActor(app, actor, 'canManageUsers', (tx) => linksOf(tx, personId));
      fields.note('Patient', { links: links.map(({ evidence }) => ({ agreement: evidence.fields })) });
    }
  }
  return [...missing];
}

/** Returns the users in each of their teams, with patients of theirs. */
async function readersOf(
  app: Database,
  { region, directory }: { region: Region; directory: DemoDirectory },
  most: number,
): Promise<{ actor: Actor; ids: string[] }[]> {
  const readers = [];
  for (const { key, grants } of region.users) {
    for (const { team } of grants) {
      const actor = await loadActor(app, idOf(directory.users, key), idOf(directory.teams, team));
      if (!actor?.can('canViewPatients')) continue;
      readers.push({ actor, ids: await asActor(app, actor, 'canViewPatients', (tx) => patientsOf(tx, most)) });
    }
  }
  return readers;
}

interface Fields {
  /** Whether a field of the entity has no value yet: what takes a query of its own need not be read otherwise, such as the history of each of hundreds of pings. */
  isMissing: (name: SpecifiedName) => boolean;
  note: (name: SpecifiedName, value: unknown) => void;
}

async function notePatient(tx: ActorTransaction, id: string, now: Date, { note, isMissing }: Fields): Promise<string> {
  const { personId, patient } = await getPatientDetails(tx, id, now);
  const encounter = patient.currentPingEncounter;
  note('Patient', patient);
  note('Encounter', encounter);
  for (const ping of encounter?.pings ?? []) {
    note('Ping or event', ping);
    if (isMissing('Management status record') && ping.currentManagementStatus.id !== '0')
      note('Management status record', await statusHistory(tx, id, ping.eventIdentifier));
  }
  for (const plan of patient.insurancePlans) note('Insurance plan', plan);
  for (const cohort of patient.cohorts) note('Cohort', cohort);
  for (const provider of patient.providers) note('Provider', provider);
  for (const coordinator of patient.careCoordinators) note('Care coordinator', coordinator);
  for (const instruction of patient.admitInstructions) note('Instruction', instruction);
  if (isMissing('Contact or care-team record')) {
    for (const record of await careTeamOf(tx, personId)) note('Contact or care-team record', record);
  }
  return personId;
}

/** Returns ids of patients whom the actor's groups list, first those with an approved waiver, then those who left a roster, then those with most visits, each with the latest visit that the actor may read. */
async function patientsOf(tx: ActorTransaction, most: number): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select min(r.id) || '_' || coalesce(max(p.encounter_id), max(e.id) filter (where e.group_id = any (${tx.groupIds}::bigint[])), 0) as id
    from roster_patients r left join encounters e on e.person_id = r.person_id
      left join pings p on p.roster_patient_id = r.id and p.encounter_id = e.id and ${mayReadPing}
    where r.group_id = any (${tx.groupIds}::bigint[])
    group by r.person_id
    order by bool_or(exists (select from three_day_waivers w where w.encounter_id = e.id and w.status = 'APPROVED')) desc,
      bool_or(r.left_at is not null and cardinality(r.insurance) > 0) desc, count(distinct e.id) desc, r.person_id limit ${most}`);
  return rows.map(({ id }) => id);
}

/** Returns the values of a field, through lists. */
function valuesAt(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return valuesAt((value as Record<string, unknown>)[name], rest);
}

/** A count of none, and what never applies, are no values. */
const isFilled = (value: unknown): boolean => Boolean(value);
