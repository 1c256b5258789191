/** Finds the visits at several facilities of one feed that are one stay, continued at another facility after a transfer. */
import { createHash } from 'node:crypto';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import type { VisitGroup } from './visit-grouping.ts';
import { usableNumber } from './visit-identifiers.ts';

/**
 * Returns the marks by which a stay is recognized at several facilities of a feed: the visit number with the record number, and the
 * visit number with family name and birth date, for feeds whose facilities number their patients separately. The visit number alone is
 * not enough, because each facility may have its own numbering. Marks are hashes, so that keys contain no names.
 */
export function stayMarksOf({ patient, visit }: AdtFacts): string[] {
  const number = usableNumber(visit?.visitNumber);
  if (number === null) return [];
  const record = usableNumber(patient.recordNumber);
  const family = patient.name?.family.toUpperCase();
  return [
    ...(record === null ? [] : [hashOf(number, record)]),
    ...(family && patient.birthDate ? [hashOf(number, family, patient.birthDate)] : []),
  ];
}

const hashOf = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** A visit's facts with the facility that they are from. */
export interface VisitAtFacility {
  groupId: string;
  facility: FoldFacility;
  group: VisitGroup;
}

/** The triggers that say where a patient is: arrivals, transfers, and the cancel of a transfer. */
const WHEREABOUTS = new Set(['A01', 'A04', 'A06', 'A02', 'A12']);

/** Returns for each visit the facts from other facilities that belong to the same stay and must be folded with it. */
export function factsElsewhere(visits: readonly VisitAtFacility[]): Map<VisitGroup, Fact[]> {
  const byMark = new Map<string, Set<VisitAtFacility>>();
  for (const visit of visits) {
    for (const mark of visit.group.facts.flatMap(({ adt }) => stayMarksOf(adt))) {
      byMark.set(mark, (byMark.get(mark) ?? new Set()).add(visit));
    }
  }
  const found = new Map<VisitGroup, Map<string, Fact>>();
  for (const stay of byMark.values()) {
    for (const { group, groupId } of stay) {
      for (const other of stay) {
        if (other.groupId === groupId) continue;
        const facts = found.get(group) ?? new Map<string, Fact>();
        found.set(group, facts);
        for (const fact of other.group.facts) {
          if (WHEREABOUTS.has(fact.adt.trigger)) facts.set(fact.id, { ...fact, elsewhere: other.facility });
        }
      }
    }
  }
  return new Map([...found].map(([group, facts]) => [group, [...facts.values()]]));
}
