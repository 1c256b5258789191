/** Writes what a refold changes: encounters, and the events and facts that refer to them. */
import type { Queryable } from '#server/platform/database/pool.ts';
import type { Dossier } from './folded-dossier.ts';
import { type EncounterRow, type EventToWrite, writeEncounters, writeEvents } from './queries.ts';
import { type AddedFact, type FactOutcome, type StoredFact, writeFacts } from './stored-facts.ts';

export interface VisitWrites {
  encounters: readonly EncounterRow[];
  events: readonly EventToWrite[];
  /** All facts of the dossiers, with those that are added. */
  facts: readonly StoredFact[];
  added: readonly AddedFact[];
  /** By the facts' ids. */
  outcomes: ReadonlyMap<string, FactOutcome>;
}

/** Writes visits, and returns the ids of the new events. The statements are sent together: encounters come before what refers to them. */
export async function writeVisits(tx: Queryable, of: VisitWrites, now: Date): Promise<string[]> {
  const [, inserted] = await Promise.all([
    writeEncounters(tx, of.encounters, now),
    writeEvents(tx, of.events),
    writeFacts(tx, of.facts, of.added, of.outcomes),
  ]);
  return inserted;
}

/** Visits that wait until their patients are identified, with their events. */
export type FirstVisits = Pick<VisitWrites, 'encounters' | 'events'>;

/**
 * Separates the first visits of patients. Most patients are someone whom a list names: a visit that is written before the patient is
 * identified is written again, with its events and pings, once the patient belongs to that person. Identification looks at visits only if
 * a patient has several. Their facts are written before, while no other batch waits for the patient's keys: that each refers to a visit is checked at the end.
 */
export function withoutFirstVisits(
  { encounters, events, ...facts }: VisitWrites,
  dossiers: readonly Dossier[],
  stored: readonly EncounterRow[],
): { known: VisitWrites; first: FirstVisits } {
  const visited = new Set(stored.map(({ sourcePatientId }) => sourcePatientId));
  const ofFirst = dossiers.flatMap(({ patients, visits }) => {
    const [patient, ...others] = patients;
    return patient && others.length === 0 && visits.length === 1 && !visited.has(patient.id) ? [patient] : [];
  });
  const patientIds = new Set(ofFirst.map(({ id }) => id));
  const encounterIds = new Set(
    encounters.filter(({ sourcePatientId }) => patientIds.has(sourcePatientId)).map(({ id }) => id),
  );
  const part = (isFirst: boolean): FirstVisits => ({
    encounters: encounters.filter(({ id }) => encounterIds.has(id) === isFirst),
    events: events.filter(({ encounterId }) => encounterIds.has(encounterId) === isFirst),
  });
  return { known: { ...part(false), ...facts }, first: part(true) };
}

/** Writes first visits, and returns the ids of their events. `personOf`: the persons that source patients were linked to since. */
export async function writeFirstVisits(
  tx: Queryable,
  { encounters, events }: FirstVisits,
  personOf: ReadonlyMap<string, string>,
  now: Date,
): Promise<string[]> {
  const identified = encounters.map((row) => ({ ...row, personId: personOf.get(row.sourcePatientId) ?? row.personId }));
  const [, inserted] = await Promise.all([writeEncounters(tx, identified, now), writeEvents(tx, events)]);
  return inserted;
}
