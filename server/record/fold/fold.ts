/**
 * The fold: the facts of one dossier → visits with state and events. It uses no clock and no order of arrival, so the same facts always
 * give the same result. Stage one groups the facts into visits (`visit-grouping.ts`), stage two folds each visit (`fold-visit.ts`).
 */
import { visitsRepeatingDeath } from './death.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';
import type { FoldedVisit } from './folded-visit.ts';
import { separatePatients } from './record-holders.ts';
import { factsElsewhere, type VisitAtFacility } from './shared-stays.ts';
import { groupIntoVisits, type VisitGroup } from './visit-grouping.ts';

/** What one facility has sent about the patients of a dossier, with one record number per patient (`separatePatients`). */
export interface FacilityFacts {
  groupId: string;
  facility: FoldFacility;
  facts: readonly Fact[];
}

export type FacilityVisit = FoldedVisit & { groupId: string };

/** Returns the visits of one dossier, ordered by facility and key. */
export function foldFacilities(parts: readonly FacilityFacts[]): FacilityVisit[] {
  const groups = parts.flatMap(({ groupId, facility, facts }) =>
    groupIntoVisits(facts).map((group) => ({ groupId, facility, group })),
  );
  const elsewhere = parts.length > 1 ? factsElsewhere(groups) : new Map<VisitGroup, Fact[]>();
  const fold = ({ groupId, facility, group }: VisitAtFacility, reportsDeath: boolean): FacilityVisit => {
    const { facts, ...identity } = group;
    const visit = foldVisit([...facts, ...(elsewhere.get(group) ?? [])], facility, { reportsDeath });
    return { groupId, ...identity, ...visit, factIds: facts.map((fact) => fact.id) };
  };
  const visits = groups.map((group) => fold(group, true));
  const repeating = new Set<FoldedVisit>(
    parts.flatMap(({ groupId, facts }) => [
      ...visitsRepeatingDeath(
        visits.filter((visit) => visit.groupId === groupId),
        facts,
      ),
    ]),
  );
  return visits.map((visit, index) => (repeating.has(visit) ? fold(groups[index] as VisitAtFacility, false) : visit));
}

/** Folds a dossier of a single facility. */
export const foldDossier = (facts: readonly Fact[], facility: FoldFacility): FoldedVisit[] =>
  foldFacilities([{ groupId: '', facility, facts: separatePatients(facts).facts }]).map(
    ({ groupId: _, ...visit }) => visit,
  );
