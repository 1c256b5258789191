/** A dossier as stored, folded: whose facts are whose, and the visits. */
import { foldFacilities } from '#server/record/fold/fold.ts';
import type { Fact, FoldFacility } from '#server/record/fold/fold-input.ts';
import type { FacilityVisit } from '#server/record/fold/folded-visit.ts';
import type { DecisionOn, HeldMerge } from '#server/record/fold/held-merges.ts';
import { type FactsByHolder, separatePatients } from '#server/record/fold/record-holders.ts';
import { factsSentElsewhere } from '#server/record/fold/shared-numbers.ts';
import { identifiersOf } from '#server/record/fold/visit-identifiers.ts';
import { ownerKey } from './dossiers.ts';
import type { SourcePatient } from './queries.ts';
import type { StoredFact } from './stored-facts.ts';

export interface Dossier {
  facts: StoredFact[];
  patients: SourcePatient[];
  visits: FacilityVisit[];
  /** Source patient (`ownerKey`) → the record number that survives all merges. */
  survivors: Map<string, string>;
  /** Source patient (`ownerKey`) → its facts. */
  factsOf: Map<string, Fact[]>;
  /** Source patient (`ownerKey`) → the facts that describe it, with those that other facilities of the feed sent. */
  describedBy: Map<string, Fact[]>;
  /** Source patients (`ownerKey`) who share a record number, the one who had it first at the beginning. */
  shared: string[][];
  /** Merges that wait for a person, by the source patients (`ownerKey`), in the order in which they were written. */
  held: HeldMerge[];
}

/** Folds each dossier that has source patients, one whenever the next is asked for. Its facts and source patients are those with its id. */
export function* foldDossiers(
  dossierIds: readonly string[],
  facts: readonly StoredFact[],
  patients: readonly SourcePatient[],
  facilities: ReadonlyMap<string, FoldFacility>,
): Generator<Dossier> {
  const factsBy = Map.groupBy(facts, (fact) => fact.dossierId);
  const patientsBy = Map.groupBy(patients, (patient) => patient.dossierId);
  for (const id of dossierIds) {
    const own = patientsBy.get(id);
    if (own) yield foldOne(factsBy.get(id) ?? [], own, facilities);
  }
}

/** What a facility has sent, and what others sent about the same patients. */
interface Place {
  groupId: string;
  facility: FoldFacility;
  facts: Fact[];
  sentElsewhere: Fact[];
  stored: readonly StoredFact[];
  patients: readonly SourcePatient[];
}

/** `facts`: with a record number per patient. */
interface Part extends Place {
  separated: FactsByHolder;
}

function foldOne(
  facts: StoredFact[],
  patients: SourcePatient[],
  facilities: ReadonlyMap<string, FoldFacility>,
): Dossier {
  const parts = separateAll(placesOf(facts, patients, facilities), patients);
  const survivors = new Map<string, string>();
  for (const { groupId, separated, patients: own } of parts) {
    const { recordOf } = identifiersOf(separated.facts);
    for (const { recordNumber } of own) {
      survivors.set(ownerKey(groupId, recordNumber), recordOf(separated.nameOf(recordNumber)));
    }
  }
  const owned = byOwner(parts, ({ sentElsewhere }) => !sentElsewhere);
  return {
    facts,
    patients,
    visits: foldFacilities(parts.map(({ groupId, facility, separated }) => ({ groupId, facility, ...separated }))),
    survivors,
    factsOf: owned,
    describedBy: describedBy(parts, owned),
    shared: parts.flatMap(({ groupId, separated }) =>
      separated.shared.map((names) => names.map((name) => ownerKey(groupId, name))),
    ),
    held: heldIn(parts, owned),
  };
}

function placesOf(
  facts: readonly StoredFact[],
  patients: readonly SourcePatient[],
  facilities: ReadonlyMap<string, FoldFacility>,
): Place[] {
  const factsAt = Map.groupBy(facts, ({ groupId }) => groupId);
  const places = [...Map.groupBy(patients, ({ groupId }) => groupId)].flatMap(([groupId, own]) => {
    const [facility, stored = []] = [facilities.get(groupId), factsAt.get(groupId)];
    return facility ? [{ groupId, facility, facts: stored.map(asFact), stored, patients: own }] : [];
  });
  const sent = factsSentElsewhere(places);
  return places.map((place) => ({ ...place, sentElsewhere: sent.get(place.groupId) ?? [] }));
}

/**
 * Separates the patients of each facility. A merge that is held at the facility that sent it is held at all, and a decision about it
 * holds for all.
 */
function separateAll(places: readonly Place[], patients: readonly SourcePatient[]): Part[] {
  const patientOf = new Map(patients.map((patient) => [ownerKey(patient.groupId, patient.recordNumber), patient]));
  const senderOf = new Map(places.flatMap(({ groupId, facts }) => facts.map(({ id }) => [id, groupId])));
  const separate = (place: Place, isHeld: ReadonlySet<string>): Part => {
    const at = (groupId: string, recordNumber = '') => patientOf.get(ownerKey(groupId, recordNumber.trim()));
    const decisionOn: DecisionOn = (prior, surviving, { id, sentElsewhere }) => {
      const [from, into] = [at(place.groupId, prior), at(place.groupId, surviving)];
      if (areConfirmed(from, into)) return 'confirmed';
      if (!sentElsewhere) return null;
      if (isHeld.has(id)) return 'held';
      const [sender = '', sent] = [senderOf.get(id), place.sentElsewhere.find((fact) => fact.id === id)?.adt];
      const survivor = at(sender, sent?.patient.recordNumber);
      const isConfirmed =
        areConfirmed(from, survivor) || areConfirmed(at(sender, sent?.merge?.priorRecordNumber ?? ''), survivor);
      return isConfirmed ? 'confirmed' : null;
    };
    return { ...place, separated: separateStored(place, decisionOn) };
  };
  const parts = places.map((place) => separate(place, new Set()));
  const held = new Set(parts.flatMap(heldBySender));
  if (held.size === 0) return parts;
  return parts.map((part) => (part.sentElsewhere.some(({ id }) => held.has(id)) ? separate(part, held) : part));
}

/** Returns the ids of merges that a facility sent and that are held there. */
function heldBySender({ facts, separated: { held } }: Part): string[] {
  if (held.length === 0) return [];
  const own = new Set(facts.map(({ id }) => id));
  return held.flatMap(({ factId }) => (own.has(factId) ? [factId] : []));
}

/**
 * Returns the merges that wait for a person: at the facility that sent them, else at those where the people contradict each other. The
 * surviving patient may be known at the sender only.
 */
function heldIn(parts: readonly Part[], owned: ReadonlyMap<string, unknown>): HeldMerge[] {
  const bySender = new Set(parts.flatMap(heldBySender));
  const ownerOfFact = new Map(
    parts.flatMap(({ groupId, separated }) =>
      separated.facts.flatMap((fact) => (fact.sentElsewhere ? [] : [[fact.id, ownerOf(groupId, fact)] as const])),
    ),
  );
  return parts.flatMap((part) => {
    const own = new Set(heldBySender(part));
    return part.separated.held.flatMap(({ factId, prior, surviving }) => {
      if (bySender.has(factId) && !own.has(factId)) return [];
      const here = ownerKey(part.groupId, surviving);
      const survivor = owned.has(here) ? here : (ownerOfFact.get(factId) ?? here);
      return [{ factId, prior: ownerKey(part.groupId, prior), surviving: survivor }];
    });
  });
}

function byOwner(parts: readonly Part[], isIncluded: (fact: Fact) => boolean): Map<string, Fact[]> {
  const owners = new Map<string, Fact[]>();
  for (const { groupId, separated } of parts) {
    for (const fact of separated.facts.filter(isIncluded)) {
      const key = ownerOf(groupId, fact);
      const own = owners.get(key);
      if (own) own.push(fact);
      else owners.set(key, [fact]);
    }
  }
  return owners;
}

/**
 * Returns the facts that describe each source patient. A facility that learned of a record number by what another one sent, and has not
 * sent a name itself, knows the patient as that one does.
 */
function describedBy(parts: readonly Part[], owned: ReadonlyMap<string, Fact[]>): Map<string, Fact[]> {
  const described = byOwner(parts, () => true);
  const ownerOfFact = new Map([...owned].flatMap(([key, facts]) => facts.map(({ id }) => [id, key] as const)));
  const disclosing = new Set(parts.flatMap(({ groupId, facility }) => (facility.isPart2 ? [] : [groupId])));
  for (const [key, facts] of described) {
    const sent = facts.filter(({ sentElsewhere }) => sentElsewhere);
    if (sent.length === 0 || owned.get(key)?.some(({ adt }) => adt.patient.name)) continue;
    const owners = new Set(sent.flatMap(({ id }) => ownerOfFact.get(id) ?? []));
    const others = [...owners].filter((owner) => disclosing.has(groupOf(owner)));
    described.set(key, [...facts, ...others.flatMap((owner) => owned.get(owner) ?? [])]);
  }
  return described;
}

const groupOf = (key: string): string => key.split('\u0000')[0] ?? '';

/**
 * Separates the patients. A fact that was not folded yet is stored under the record number of its message, which says nothing about
 * the holder, unless it replaces a fact of another holder.
 */
function separateStored({ facts, sentElsewhere, stored, patients }: Place, decisionOn: DecisionOn): FactsByHolder {
  const nameOf = new Map(patients.map(({ id, recordNumber }) => [id, recordNumber]));
  const storedNames = new Map(
    stored.map(({ id, adt, sourcePatientId, outcome }) => {
      const name = nameOf.get(sourcePatientId);
      return [id, outcome === '' && name === adt.patient.recordNumber.trim() ? undefined : name];
    }),
  );
  return separatePatients([...facts, ...sentElsewhere], { storedName: ({ id }) => storedNames.get(id), decisionOn });
}

/** Whether the two are one person because a person decided so. */
const areConfirmed = (a: SourcePatient | undefined, b: SourcePatient | undefined): boolean =>
  a !== undefined && b !== undefined && a.personId === b.personId && (a.isConfirmed || b.isConfirmed);

const ownerOf = (groupId: string, { adt }: Fact): string => ownerKey(groupId, adt.patient.recordNumber.trim());

/**
 * Returns the source patients that a dossier lacks: a record number turned out to belong to several patients, or a merge at another
 * facility gave a patient a number under which this facility has sent nothing yet.
 */
export const missingPatients = ({ patients, factsOf, visits, survivors }: Dossier): string[] => {
  const known = new Set(patients.map(({ groupId, recordNumber }) => ownerKey(groupId, recordNumber)));
  const needed = [
    ...factsOf.keys(),
    ...visits.map(({ groupId, recordNumber }) => ownerKey(groupId, recordNumber)),
    ...[...survivors].map(([key, survivor]) => ownerKey(groupOf(key), survivor)),
  ];
  return [...new Set(needed)].filter((key) => !known.has(key));
};

export const asFact = ({ id, adt, manualCode, sharedFeedId }: StoredFact): Fact => ({
  id,
  adt,
  manualCode: manualCode ?? undefined,
  sharedFeedId: sharedFeedId ?? undefined,
});

/**
 * Returns the source patients (`ownerKey`) who have visits under a record number that someone else had first, with that other one, or
 * with the patient into whom that one was merged.
 */
export function holdersApart({ visits, survivors, factsOf, shared }: Dossier): Map<string, string> {
  const withVisits = new Set(
    visits.filter(({ state }) => state.status !== 'CANCELLED').flatMap(({ factIds }) => factIds),
  );
  const hasVisits = (key: string) => factsOf.get(key)?.some(({ id }) => withVisits.has(id)) ?? false;
  const surviving = (key: string) => {
    return ownerKey(groupOf(key), survivors.get(key) ?? '');
  };
  return new Map(
    shared.flatMap((holders) => {
      const [first, ...others] = holders.filter(hasVisits);
      if (first === undefined) return [];
      const survivor = surviving(first);
      return others.filter((key) => surviving(key) === key && key !== survivor).map((key) => [key, survivor] as const);
    }),
  );
}
