/** Which visits at several facilities of one feed are one stay that goes on from the one to the other. */
import { createHash } from 'node:crypto';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import { usableNumber } from './visit-identifiers.ts';
import type { VisitFactsGroup } from './visits.ts';

/**
 * By what one stay is known at several facilities of a feed: the visit number with the record number, or with family name and birth
 * date where each facility has record numbers of its own. The number alone is not enough, for each facility may count by itself.
 */
export function marksOf({ patient, visit }: AdtFacts): string[] {
  const number = usableNumber(visit?.visitNumber);
  if (number === null) return [];
  const record = usableNumber(patient.recordNumber);
  const family = patient.name?.family.toUpperCase();
  return [
    ...(record === null ? [] : [hashOf(number, record)]),
    ...(family && patient.birthDate ? [hashOf(number, family, patient.birthDate)] : []),
  ];
}

/** No names in keys. */
const hashOf = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** A visit with the facility that it is at. */
export interface PlacedGroup {
  groupId: string;
  facility: FoldFacility;
  group: VisitFactsGroup;
}

/** What says where a patient is: arrivals and transfers, and what takes a transfer back. */
const WHEREABOUTS = new Set(['A01', 'A04', 'A06', 'A02', 'A12']);

/** For each visit the facts of the same stay at other facilities that it is to be folded with; none where it is at one facility only. */
export function elsewhereOf(groups: readonly PlacedGroup[]): Map<VisitFactsGroup, Fact[]> {
  const byMark = new Map<string, Set<PlacedGroup>>();
  for (const placed of groups) {
    for (const mark of placed.group.facts.flatMap(({ adt }) => marksOf(adt))) {
      byMark.set(mark, (byMark.get(mark) ?? new Set()).add(placed));
    }
  }
  const others = new Map<VisitFactsGroup, Map<string, Fact>>();
  for (const stays of byMark.values()) {
    for (const { group, groupId } of stays) {
      for (const other of stays) {
        if (other.groupId === groupId) continue;
        const known = others.get(group) ?? new Map<string, Fact>();
        others.set(group, known);
        for (const fact of other.group.facts) {
          if (WHEREABOUTS.has(fact.adt.trigger)) known.set(fact.id, { ...fact, elsewhere: other.facility });
        }
      }
    }
  }
  return new Map([...others].map(([group, facts]) => [group, [...facts.values()]]));
}
