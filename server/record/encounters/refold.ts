/**
 * Folds dossiers again after facts were added, and writes what changed: encounters, events, demographics and the outcome of each fact.
 * The result depends on the facts alone, except for ids, for whether an event counts as amended, and for what it said before (docs/decisions/0118).
 */
import { setImmediate } from 'node:timers/promises';
import { isDeathDisposition } from '#contract/dispositions.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { foldDemographics } from '#server/record/fold/folded-demographics.ts';
import type { FoldedVisit } from '#server/record/fold/folded-visit.ts';
import { canceledContents, isCanceledOutcome, outcomesOfDossier } from '#server/record/fold/outcomes.ts';
import { isOpenStatus, lastKnownOf, type VisitState } from '#server/record/fold/visit-state.ts';
import { PLANS, STARTS } from '#server/record/fold/visit-triggers.ts';
import { type DeathDoubts, deathDoubts } from './death-doubts.ts';
import { addToDossiers, ownerKey, type Unsettled } from './dossiers.ts';
import { type AmendedEvent, eventChanges } from './event-changes.ts';
import { asFact, type Dossier, foldDossiers, holdersApart, missingPatients } from './folded-dossier.ts';
import {
  type EncounterRow,
  type EventRow,
  encountersOf,
  eventsOf,
  facilitiesOf,
  nextEncounterIds,
  type SourcePatient,
  sourcePatientsOf,
  writeDemographics,
} from './queries.ts';
import { isSameJson } from './same-json.ts';
import { type AddedFact, type FactOutcome, factsOf, numberFacts, type StoredFact } from './stored-facts.ts';
import { type FirstVisits, type VisitWrites, withoutFirstVisits, writeVisits } from './write-visits.ts';

export interface Refolded {
  /** First visits, which are written once their patients are identified (`writeFirstVisits`). */
  first: FirstVisits;
  /** Ids of events to send: new ones, ones that are valid again, and inferred ones that a message now reports. */
  newEvents: string[];
  /** Events whose time or details changed. */
  amended: AmendedEvent[];
  /** Encounters with a changed, retracted or new event, whose pings must be updated. */
  encounters: string[];
  /** Those of them that are new: all of their events are. */
  begun: ReadonlySet<string>;
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

/** Requires the locks that `placeFacts` took on the dossiers. */
export async function refold(tx: Transaction, unsettled: Unsettled, now: Date): Promise<Refolded> {
  const { dossiers, facts, added, stored, events } = await foldStored(tx, unsettled, now);
  const encounterIds = stored.map((encounter) => encounter.id);
  const matched = await matchEncounters(tx, dossiers, stored);
  const doubts = deathDoubts(dossiers);
  const encounterRows = matched.map((each) => encounterRow(each, doubts));
  const { write, resend, amended, encounters } = eventChanges(matched, encounterIds, events, facts, now);
  const visitsOf = Map.groupBy(matched, ({ owner }) => owner.id);
  const refolded = dossiers.flatMap((dossier) => patientsOf(dossier, visitsOf));
  const outcomes = outcomesIn(dossiers, matched);
  const all: VisitWrites = {
    encounters: [...changedEncounters(encounterRows, stored), ...retired(stored, matched, { facts, outcomes })],
    events: write,
    facts,
    added,
    outcomes,
  };
  const { known, first } = withoutFirstVisits(all, dossiers, stored);
  const wasStored = new Set(encounterIds);
  const [inserted] = await Promise.all([
    writeVisits(tx, known, now),
    writeDemographics(
      tx,
      refolded.filter(({ isChanged, isDescribedElsewhere }) => isChanged && !isDescribedElsewhere),
      now,
    ),
  ]);
  return {
    first,
    newEvents: [...inserted, ...resend],
    amended,
    encounters: [...encounters],
    begun: new Set([...encounters].filter((id) => !wasStored.has(id))),
    moved: movedEncounters(encounterRows, stored),
    patients: refolded,
  };
}

interface Folded {
  dossiers: Dossier[];
  /** Those that are stored, and then those that are added. */
  facts: StoredFact[];
  added: AddedFact[];
  /** The encounters, as they are stored. */
  stored: EncounterRow[];
  events: EventRow[];
}

/** How many dossiers are folded before another batch gets a turn: it may hold locks while it waits for this thread. */
const AT_ONCE = 5;

/** Folds the dossiers, and adds the source patients that they turn out to lack. */
async function foldStored(tx: Transaction, { dossierIds, added: placed }: Unsettled, now: Date): Promise<Folded> {
  const numbered = numberFacts(tx, placed);
  for (;;) {
    const [added, stored, patients, encounters, events, facilities] = await Promise.all([
      numbered,
      factsOf(tx, dossierIds),
      sourcePatientsOf(tx, dossierIds),
      encountersOf(tx, dossierIds),
      eventsOf(tx, dossierIds),
      facilitiesOf(tx, dossierIds),
    ]);
    const dossierOf = new Map(patients.map(({ id, dossierId }) => [id, dossierId]));
    for (const fact of added) fact.dossierId = dossierOf.get(fact.sourcePatientId) ?? '';
    const facts = [...stored, ...added];
    const dossiers: Dossier[] = [];
    for (const dossier of foldDossiers(dossierIds, facts, patients, facilities)) {
      dossiers.push(dossier);
      if (dossiers.length % AT_ONCE === 0) await setImmediate();
    }
    const missing = dossiers.flatMap((dossier) =>
      missingPatients(dossier).map((key) => ({ key, dossierId: dossier.patients[0]?.dossierId ?? '' })),
    );
    if (missing.length === 0) return { dossiers, facts, added, stored: encounters, events };
    await addToDossiers(tx, missing, now);
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
  const before = new Map(stored.map((row) => [row.id, row]));
  return rows.filter((row) => {
    const known = before.get(row.id);
    const hasMoved = known?.sourcePatientId !== row.sourcePatientId || known.personId !== row.personId;
    return hasMoved || !isSameJson(known.state, row.state);
  });
}

type Outcomes = Pick<VisitWrites, 'facts' | 'outcomes'>;

/**
 * Returns the encounters without a visit, canceled: all their facts are of another encounter. A merge moved them there, unless each arrival and plan among them
 * was canceled.
 */
function retired(stored: EncounterRow[], matched: EncounterVisit[], { facts, outcomes }: Outcomes): EncounterRow[] {
  const beginnings = facts.filter(({ adt: { trigger } }) => STARTS.has(trigger) || PLANS.has(trigger));
  const begun = Map.groupBy(beginnings, ({ encounterId }) => encounterId);
  const isCanceled = (id: string) =>
    begun.get(id)?.every((fact) => isCanceledOutcome(outcomes.get(fact.id)?.outcome ?? '')) ?? false;
  const claimed = new Set(matched.map(({ id }) => id));
  return stored
    .filter(({ id, state }) => !claimed.has(id) && state.status !== 'CANCELLED')
    .map((row) => ({
      ...row,
      state: { ...row.state, status: 'CANCELLED', ...(!isCanceled(row.id) && { isMerged: true }) },
    }));
}

function outcomesIn(dossiers: Dossier[], matched: EncounterVisit[]): Map<string, FactOutcome> {
  const encounterOf = new Map(matched.flatMap(({ id, visit }) => visit.factIds.map((factId) => [factId, id] as const)));
  const outcomes = new Map<string, FactOutcome>();
  for (const { facts, patients, visits, held, factsOf } of dossiers) {
    const outcomeOf = outcomesOfDossier(facts.map(asFact), visits, held);
    const idOf = new Map(patients.map(({ groupId, recordNumber, id }) => [ownerKey(groupId, recordNumber), id]));
    const ownerOfFact = new Map(
      [...factsOf].flatMap(([key, own]) => own.map(({ id }) => [id, idOf.get(key)] as const)),
    );
    for (const { id, sourcePatientId } of facts) {
      outcomes.set(id, {
        id,
        encounterId: encounterOf.get(id) ?? null,
        outcome: outcomeOf.get(id) ?? '',
        sourcePatientId: ownerOfFact.get(id) ?? sourcePatientId,
      });
    }
  }
  return outcomes;
}

/** Returns the day of death (PID-29), else the end of the last stay that ended in death; null if no message has either. */
function dayOfDeath(visits: readonly VisitState[]): string | null {
  const stated = visits.find(({ deceasedAt, status }) => deceasedAt && status !== 'CANCELLED')?.deceasedAt;
  const ended = visits.flatMap(({ status, disposition, dischargedAt }) =>
    status !== 'CANCELLED' && isDeathDisposition(disposition) && dischargedAt ? dischargedAt.localDate : [],
  );
  return stated?.localDate ?? ended.sort().at(-1) ?? null;
}

/** `visitsOf`: by source patient. */
function patientsOf(dossier: Dossier, visitsOf: ReadonlyMap<string, EncounterVisit[]>): RefoldedPatient[] {
  const { patients, survivors, factsOf, describedBy } = dossier;
  const isDescribedElsewhere = [...describedBy].some(([key, facts]) => facts.length > (factsOf.get(key)?.length ?? 0));
  const apart = holdersApart(dossier);
  const held = new Map(dossier.held.map(({ prior, surviving }) => [prior, surviving]));
  const idOf = new Map(patients.map(({ groupId, recordNumber, id }) => [ownerKey(groupId, recordNumber), id]));
  const canceled = canceledContents(dossier);
  return patients.map((patient) => {
    const key = ownerKey(patient.groupId, patient.recordNumber);
    const visits = (visitsOf.get(patient.id) ?? []).map(({ visit }) => visit.state);
    const { demographics, deceased, deceasedOn } = foldDemographics(describedBy.get(key) ?? [], canceled, visits);
    const isDeceased = deceased || visits.some(({ deceased: died, status }) => died && status !== 'CANCELLED');
    const diedOn = isDeceased ? (deceasedOn ?? dayOfDeath(visits)) : null;
    const survivor = survivors.get(key);
    const apartFrom = idOf.get(apart.get(key) ?? '') ?? null;
    const mergeHeld = idOf.get(held.get(key) ?? '') ?? null;
    const mustBeIdentified =
      apartFrom !== patient.apartFrom ||
      mergeHeld !== patient.mergeHeld ||
      !isSameJson(demographics, patient.demographics);
    const isOpen = visits.some(({ status }) => isOpenStatus(status) || status === 'PLANNED');
    const discharges = visits
      .filter(({ status }) => status === 'FINISHED')
      .map((v) => (lastKnownOf(v) ?? v.admittedAt)?.instant ?? '');
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
