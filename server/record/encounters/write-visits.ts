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

/**
 * Separates the first visits of patients. Most patients are someone whom a list names: a visit that is written before the patient is
 * identified is written again, with its events and pings, once the patient belongs to that person. Identification looks at visits only if
 * a patient has several.
 */
export function withoutFirstVisits(
  { encounters, events, facts, added, outcomes }: VisitWrites,
  dossiers: readonly Dossier[],
  stored: readonly EncounterRow[],
): { known: VisitWrites; first: VisitWrites } {
  const visited = new Set(stored.map(({ sourcePatientId }) => sourcePatientId));
  const ofFirst = dossiers.flatMap(({ patients, visits }) => {
    const [patient, ...others] = patients;
    return patient && others.length === 0 && visits.length === 1 && !visited.has(patient.id) ? [patient] : [];
  });
  const patientIds = new Set(ofFirst.map(({ id }) => id));
  const dossierIds = new Set(ofFirst.map(({ dossierId }) => dossierId));
  const encounterIds = new Set(
    encounters.filter(({ sourcePatientId }) => patientIds.has(sourcePatientId)).map(({ id }) => id),
  );
  const part = (isFirst: boolean): VisitWrites => ({
    encounters: encounters.filter(({ id }) => encounterIds.has(id) === isFirst),
    events: events.filter(({ encounterId }) => encounterIds.has(encounterId) === isFirst),
    facts: facts.filter(({ dossierId }) => dossierIds.has(dossierId) === isFirst),
    added: added.filter(({ dossierId }) => dossierIds.has(dossierId) === isFirst),
    outcomes,
  });
  return { known: part(false), first: part(true) };
}

/** Writes first visits, and returns the ids of their events. `personOf`: the persons that source patients were linked to since. */
export const writeFirstVisits = (
  tx: Queryable,
  { encounters, ...rest }: VisitWrites,
  personOf: ReadonlyMap<string, string>,
  now: Date,
): Promise<string[]> => {
  const identified = encounters.map((row) => ({ ...row, personId: personOf.get(row.sourcePatientId) ?? row.personId }));
  return writeVisits(tx, { ...rest, encounters: identified }, now);
};
