/** A dossier as stored, folded: whose facts are whose, and the visits. */
import { type FacilityVisit, foldFacilities } from '#server/record/fold/fold.ts';
import type { Fact, FoldFacility } from '#server/record/fold/fold-input.ts';
import type { HeldMerge } from '#server/record/fold/held-merges.ts';
import { type FactsByHolder, separatePatients } from '#server/record/fold/record-holders.ts';
import { identifiersOf } from '#server/record/fold/visit-identifiers.ts';
import { ownerKey } from './dossiers.ts';
import type { SourcePatient, StoredFact } from './queries.ts';

export interface Dossier {
  facts: StoredFact[];
  patients: SourcePatient[];
  visits: FacilityVisit[];
  /** Source patient (`ownerKey`) → the record number that survives all merges. */
  survivors: Map<string, string>;
  /** Source patient (`ownerKey`) → its facts. */
  factsOf: Map<string, Fact[]>;
  /** Source patients (`ownerKey`) who share a record number, the one who had it first at the beginning. */
  shared: string[][];
  /** Merges that wait for a person, by the source patients (`ownerKey`), in the order in which they were written. */
  held: HeldMerge[];
}

/** Folds each dossier. Its facts and source patients are those with its id. */
export function foldDossiers(
  dossierIds: string[],
  facts: StoredFact[],
  patients: SourcePatient[],
  facilities: Map<string, FoldFacility>,
): Dossier[] {
  const factsBy = Map.groupBy(facts, (fact) => fact.dossierId);
  const patientsBy = Map.groupBy(patients, (patient) => patient.dossierId);
  return dossierIds.flatMap((id) => {
    const own = patientsBy.get(id);
    return own ? [foldOne(factsBy.get(id) ?? [], own, facilities)] : [];
  });
}

function foldOne(facts: StoredFact[], patients: SourcePatient[], facilities: Map<string, FoldFacility>): Dossier {
  const survivors = new Map<string, string>();
  const shared: string[][] = [];
  const held: HeldMerge[] = [];
  const parts = [...Map.groupBy(patients, ({ groupId }) => groupId)].flatMap(([groupId, ofGroup]) => {
    const facility = facilities.get(groupId);
    if (!facility) return [];
    const separated = separateStored(
      facts.filter((fact) => fact.groupId === groupId),
      ofGroup,
    );
    const { recordOf } = identifiersOf(separated.facts);
    for (const { recordNumber } of ofGroup) {
      survivors.set(ownerKey(groupId, recordNumber), recordOf(separated.nameOf(recordNumber)));
    }
    shared.push(...separated.shared.map((names) => names.map((name) => ownerKey(groupId, name))));
    held.push(
      ...separated.held.map(({ factId, prior, surviving }) => {
        return { factId, prior: ownerKey(groupId, prior), surviving: ownerKey(groupId, surviving) };
      }),
    );
    return [{ groupId, facility, facts: separated.facts }];
  });
  const owned = parts.flatMap(({ groupId, facts: own }) => own.map((fact) => ({ fact, key: ownerOf(groupId, fact) })));
  const factsOf = new Map([...Map.groupBy(owned, ({ key }) => key)].map(([key, all]) => [key, all.map((o) => o.fact)]));
  return { facts, patients, visits: foldFacilities(parts), survivors, factsOf, shared, held };
}

/**
 * Separates the patients. A fact that was not folded yet is stored under the record number of its message, which says nothing about
 * the holder, unless it replaces a fact of another holder.
 */
function separateStored(facts: readonly StoredFact[], patients: readonly SourcePatient[]): FactsByHolder {
  const nameOf = new Map(patients.map(({ id, recordNumber }) => [id, recordNumber]));
  const storedNames = new Map(
    facts.map(({ id, adt, sourcePatientId, outcome }) => {
      const name = nameOf.get(sourcePatientId);
      return [id, outcome === '' && name === adt.patient.recordNumber.trim() ? undefined : name];
    }),
  );
  const patientOf = new Map(patients.map((patient) => [patient.recordNumber, patient]));
  return separatePatients(facts.map(asFact), {
    storedName: ({ id }) => storedNames.get(id),
    isConfirmed: (prior, surviving) => areConfirmed(patientOf.get(prior), patientOf.get(surviving)),
  });
}

/** Whether the two are one person because a person decided so. */
const areConfirmed = (a: SourcePatient | undefined, b: SourcePatient | undefined): boolean =>
  a !== undefined && b !== undefined && a.personId === b.personId && (a.isConfirmed || b.isConfirmed);

const ownerOf = (groupId: string, { adt }: Fact): string => ownerKey(groupId, adt.patient.recordNumber.trim());

/** Returns the source patients that a dossier lacks, because a record number turned out to belong to several patients. */
export const missingPatients = ({ patients, factsOf }: Dossier): string[] => {
  const known = new Set(patients.map(({ groupId, recordNumber }) => ownerKey(groupId, recordNumber)));
  return [...factsOf.keys()].filter((key) => !known.has(key));
};

export const asFact = ({ id, adt, manualCode }: StoredFact): Fact => ({ id, adt, manualCode: manualCode ?? undefined });

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
    const [groupId = ''] = key.split('\u0000');
    return ownerKey(groupId, survivors.get(key) ?? '');
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
