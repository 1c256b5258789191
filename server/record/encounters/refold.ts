/**
 * Folds dossiers again after facts were added, and writes what changed: encounters, events, demographics and the outcome of each fact.
 * The result depends on the facts alone, except for ids, for whether an event counts as amended, and for what it said before (docs/decisions/0118).
 */
import { isDeathDisposition } from '#contract/dispositions.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { foldDemographics } from '#server/record/fold/folded-demographics.ts';
import type { FoldedVisit } from '#server/record/fold/folded-visit.ts';
import { canceledContents, outcomesOfDossier } from '#server/record/fold/outcomes.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';
import { type DeathDoubts, deathDoubts } from './death-doubts.ts';
import { addToDossiers, ownerKey } from './dossiers.ts';
import { type AmendedEvent, eventChanges } from './event-changes.ts';
import { asFact, type Dossier, foldDossiers, holdersApart, missingPatients } from './folded-dossier.ts';
import {
  type EncounterRow,
  encountersOf,
  eventsOf,
  facilitiesOf,
  factsOf,
  nextEncounterIds,
  type SourcePatient,
  type StoredFact,
  sourcePatientsOf,
  writeDemographics,
  writeEncounters,
  writeEvents,
  writeFactOutcomes,
} from './queries.ts';

export interface Refolded {
  /** Ids of events to send: new ones, ones that are valid again, and inferred ones that a message now reports. */
  newEvents: string[];
  /** Events whose time or details changed. */
  amended: AmendedEvent[];
  /** Encounters with a changed, retracted or new event, whose pings must be updated. */
  encounters: string[];
  /** Encounters that belong to another person now, whose events must be sent again. */
  moved: string[];
  /** All source patients of the dossiers, with the ones they were merged into. */
  patients: RefoldedPatient[];
}

export interface RefoldedPatient extends SourcePatient {
  /** The demographics that matching uses have changed, the patient is new, or what keeps it apart from another one has. */
  mustBeIdentified: boolean;
  /** The source patient that this one was merged into; null if it survives. */
  mergedInto: string | null;
  /** The time of the last discharge; null while a stay is open. */
  lastDischarge: string | null;
  hasVisits: boolean;
  /** What is stored about the patient differs. */
  isChanged: boolean;
  /** Messages that other facilities sent describe a patient of the dossier. What changed is written when the patient is identified. */
  isDescribedElsewhere: boolean;
}

/** Requires the locks that `storeFacts` took on the dossiers. */
export async function refold(tx: Transaction, dossierIds: string[], now: Date): Promise<Refolded> {
  const { dossiers, facts, patients } = await foldStored(tx, dossierIds, now);
  const stored = await encountersOf(
    tx,
    patients.map((patient) => patient.id),
  );
  const encounterIds = stored.map((encounter) => encounter.id);
  const events = await eventsOf(tx, encounterIds);

  const matched = await matchEncounters(tx, dossiers, stored);
  const doubts = deathDoubts(dossiers);
  const encounterRows = matched.map((each) => encounterRow(each, doubts));
  const { write, resend, amended, encounters } = eventChanges(matched, encounterIds, events, facts, now);
  await writeEncounters(tx, changedEncounters(encounterRows, stored), now);
  await retireEncounters(tx, stored, matched, now);
  const inserted = await writeEvents(tx, write);
  await writeFactOutcomes(tx, changedOutcomes(dossiers, matched));
  const refolded = dossiers.flatMap((dossier) => patientsOf(dossier, matched));
  await writeDemographics(
    tx,
    refolded.filter(({ isChanged, isDescribedElsewhere }) => isChanged && !isDescribedElsewhere),
    now,
  );
  return {
    newEvents: [...inserted, ...resend],
    amended,
    encounters: [...encounters],
    moved: movedEncounters(encounterRows, stored),
    patients: refolded,
  };
}

interface Folded {
  dossiers: Dossier[];
  facts: StoredFact[];
  patients: SourcePatient[];
}

/** Folds the dossiers, and adds the source patients that they turn out to lack. */
async function foldStored(tx: Transaction, dossierIds: string[], now: Date): Promise<Folded> {
  for (;;) {
    const facts = await factsOf(tx, dossierIds);
    const patients = await sourcePatientsOf(tx, dossierIds);
    const facilities = await facilitiesOf(tx, [...new Set(patients.map(({ groupId }) => groupId))]);
    const dossiers = foldDossiers(dossierIds, facts, patients, facilities);
    const added = dossiers.flatMap((dossier) =>
      missingPatients(dossier).map((key) => ({ key, dossierId: dossier.patients[0]?.dossierId ?? '' })),
    );
    if (added.length === 0) return { dossiers, facts, patients };
    await addToDossiers(tx, added, now);
  }
}

interface EncounterVisit {
  id: string;
  visit: FoldedVisit;
  owner: SourcePatient;
}

/** Finds each visit's stored encounter by its facts: the smallest id not taken by another visit, else a new one. */
async function matchEncounters(
  tx: Transaction,
  dossiers: Dossier[],
  stored: EncounterRow[],
): Promise<EncounterVisit[]> {
  const known = new Set(stored.map((encounter) => encounter.id));
  const taken = new Set<string>();
  const matched: (Omit<EncounterVisit, 'id'> & { id: string | null })[] = [];
  for (const { visits, facts, patients } of dossiers) {
    const encounterOf = new Map(facts.map((fact) => [fact.id, fact.encounterId]));
    const owners = new Map(patients.map((patient) => [ownerKey(patient.groupId, patient.recordNumber), patient]));
    for (const visit of visits) {
      const candidates = new Set(
        visit.factIds.map((id) => encounterOf.get(id)).filter((id) => id != null && known.has(id)),
      );
      const id = ([...candidates] as string[]).sort(byNumber).find((candidate) => !taken.has(candidate)) ?? null;
      if (id) taken.add(id);
      const owner = owners.get(ownerKey(visit.groupId, visit.recordNumber));
      if (!owner) throw new Error('A folded visit has a record number that is not in its dossier');
      matched.push({ id, visit, owner });
    }
  }
  const fresh = await nextEncounterIds(tx, matched.filter(({ id }) => id === null).length);
  return matched.map((each) => ({ ...each, id: each.id ?? (fresh.shift() as string) }));
}

const byNumber = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1);

function encounterRow({ id, visit, owner }: EncounterVisit, doubts: DeathDoubts): EncounterRow {
  return {
    id,
    groupId: owner.groupId,
    sourcePatientId: owner.id,
    personId: owner.personId,
    state: {
      ...visit.state,
      ...doubts.get(owner.id)?.(visit),
      flags: visit.flags,
      visitNumbers: visit.visitNumbers,
      accountNumbers: visit.accountNumbers,
    },
  };
}

/** Returns the encounters that a merge or move gave to a source patient of another person. */
function movedEncounters(rows: EncounterRow[], stored: EncounterRow[]): string[] {
  const personOf = new Map(stored.map((row) => [row.id, row.personId]));
  return rows.filter(({ id, personId }) => (personOf.get(id) ?? personId) !== personId).map(({ id }) => id);
}

function changedEncounters(rows: EncounterRow[], stored: EncounterRow[]): EncounterRow[] {
  const before = new Map(stored.map((row) => [row.id, fingerprint(row)]));
  return rows.filter((row) => before.get(row.id) !== fingerprint(row));
}

const fingerprint = (row: EncounterRow): string =>
  JSON.stringify([row.sourcePatientId, row.personId, sorted(row.state)]);

/** Sorts object keys, because jsonb doesn't keep their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]));
}

/** Cancels the encounters without a visit: a merge moved all their facts to another encounter. */
async function retireEncounters(
  tx: Transaction,
  stored: EncounterRow[],
  matched: EncounterVisit[],
  now: Date,
): Promise<void> {
  const claimed = new Set(matched.map(({ id }) => id));
  const retired = stored.filter(({ id, state }) => !claimed.has(id) && state.status !== 'CANCELLED');
  await writeEncounters(
    tx,
    retired.map((row) => ({ ...row, state: { ...row.state, status: 'CANCELLED' } })),
    now,
  );
}

function changedOutcomes(dossiers: Dossier[], matched: EncounterVisit[]) {
  const encounterOf = new Map(matched.flatMap(({ id, visit }) => visit.factIds.map((factId) => [factId, id] as const)));
  const outcomeOf = new Map(
    dossiers.flatMap(({ facts, visits, held }) => [...outcomesOfDossier(facts.map(asFact), visits, held)]),
  );
  return dossiers.flatMap(({ facts, patients, factsOf }) => {
    const idOf = new Map(patients.map(({ groupId, recordNumber, id }) => [ownerKey(groupId, recordNumber), id]));
    const ownerOfFact = new Map(
      [...factsOf].flatMap(([key, own]) => own.map(({ id }) => [id, idOf.get(key)] as const)),
    );
    return facts
      .map((before) => ({
        before,
        id: before.id,
        encounterId: encounterOf.get(before.id) ?? null,
        outcome: outcomeOf.get(before.id) ?? '',
        sourcePatientId: ownerOfFact.get(before.id) ?? before.sourcePatientId,
      }))
      .filter(
        ({ before, encounterId, outcome, sourcePatientId }) =>
          before.encounterId !== encounterId ||
          before.outcome !== outcome ||
          before.sourcePatientId !== sourcePatientId,
      );
  });
}

/** Returns the day of death (PID-29), else the end of the last stay that ended in death; null if no message has either. */
function dayOfDeath(visits: readonly VisitState[]): string | null {
  const stated = visits.find(({ deceasedAt, status }) => deceasedAt && status !== 'CANCELLED')?.deceasedAt;
  const ended = visits.flatMap(({ status, disposition, dischargedAt }) =>
    status !== 'CANCELLED' && isDeathDisposition(disposition) && dischargedAt ? dischargedAt.localDate : [],
  );
  return stated?.localDate ?? ended.sort().at(-1) ?? null;
}

function patientsOf(dossier: Dossier, matched: EncounterVisit[]): RefoldedPatient[] {
  const { patients, survivors, factsOf, describedBy } = dossier;
  const isDescribedElsewhere = [...describedBy].some(([key, facts]) => facts.length > (factsOf.get(key)?.length ?? 0));
  const apart = holdersApart(dossier);
  const held = new Map(dossier.held.map(({ prior, surviving }) => [prior, surviving]));
  const idOf = new Map(patients.map(({ groupId, recordNumber, id }) => [ownerKey(groupId, recordNumber), id]));
  const canceled = canceledContents(dossier);
  return patients.map((patient) => {
    const key = ownerKey(patient.groupId, patient.recordNumber);
    const visits = matched.filter(({ owner }) => owner.id === patient.id).map(({ visit }) => visit.state);
    const { demographics, deceased, deceasedOn } = foldDemographics(describedBy.get(key) ?? [], canceled, visits);
    const isDeceased = deceased || visits.some(({ deceased: died, status }) => died && status !== 'CANCELLED');
    const diedOn = isDeceased ? (deceasedOn ?? dayOfDeath(visits)) : null;
    const survivor = survivors.get(key);
    const apartFrom = idOf.get(apart.get(key) ?? '') ?? null;
    const mergeHeld = idOf.get(held.get(key) ?? '') ?? null;
    const mustBeIdentified =
      apartFrom !== patient.apartFrom ||
      mergeHeld !== patient.mergeHeld ||
      JSON.stringify(sorted(demographics)) !== JSON.stringify(sorted(patient.demographics));
    const isOpen = visits.some(
      ({ status }) => status === 'IN_PROGRESS' || status === 'ON_LEAVE' || status === 'PLANNED',
    );
    const discharges = visits
      .filter(({ status }) => status === 'FINISHED')
      .map((v) => (v.dischargedAt ?? v.admittedAt)?.instant ?? '');
    return {
      ...patient,
      demographics,
      deceased: isDeceased,
      deceasedOn: diedOn,
      apartFrom,
      mergeHeld,
      isChanged: mustBeIdentified || isDeceased !== patient.deceased || diedOn !== patient.deceasedOn,
      mustBeIdentified,
      isDescribedElsewhere,
      mergedInto:
        survivor && survivor !== patient.recordNumber ? (idOf.get(ownerKey(patient.groupId, survivor)) ?? null) : null,
      lastDischarge: isOpen ? null : discharges.sort().at(-1) || null,
      hasVisits: visits.some(({ status }) => status !== 'CANCELLED'),
    };
  });
}
