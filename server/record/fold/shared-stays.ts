/** Finds the visits at several facilities of one feed that are one stay, continued at another facility after a transfer. */
import { createHash } from 'node:crypto';
import type { AdtFacts, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import type { VisitGroup } from './visit-grouping.ts';
import { usableNumber } from './visit-identifiers.ts';

/**
 * Returns the marks by which a stay is recognized at several facilities of a feed: the visit number with the record number and its
 * authority, and the visit number with family name and birth date, for feeds whose facilities number their patients separately. The visit number alone is
 * not enough, because each facility may have its own numbering. If there is none, the account number takes its place. Marks are hashes,
 * so that keys contain no names.
 */
export function stayMarksOf({ patient, visit }: AdtFacts, recordNumber = patient.recordNumber): string[] {
  const number = stayNumberOf(visit);
  if (number.length === 0) return [];
  const record = usableNumber(recordNumber);
  const family = patient.name?.family.toUpperCase();
  return [
    ...(record === null ? [] : [markOf(...number, record, patient.recordAuthority?.trim().toUpperCase() ?? '')]),
    ...(family && patient.birthDate ? [markOf(...number, family, patient.birthDate)] : []),
  ];
}

/** An account may cover several visits, so its number counts only where the message has no visit number. */
function stayNumberOf(visit: VisitFacts | null): unknown[] {
  const [number, account] = [usableNumber(visit?.visitNumber), usableNumber(visit?.accountNumber)];
  if (number !== null) return [number];
  return account === null ? [] : [['account', account]];
}

/** Returns a hash by which dossiers of several facilities are joined. */
export const markOf = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** A visit's facts with the facility that they are from. */
export interface VisitAtFacility {
  groupId: string;
  facility: FoldFacility;
  group: VisitGroup;
}

/** A visit that was merged into another record number is known under both. A merge sent elsewhere says nothing about a visit here. */
const marksWithin = ({ group }: VisitAtFacility, { adt, sentElsewhere }: Fact): string[] =>
  sentElsewhere ? [] : [...new Set([...stayMarksOf(adt), ...stayMarksOf(adt, group.recordNumber)])];

/** The triggers that say where a patient is: arrivals, transfers, and the cancel of a transfer. */
const WHEREABOUTS = new Set(['A01', 'A04', 'A06', 'A02', 'A12']);

/** Returns for each visit the facts from other facilities that belong to the same stay and must be folded with it. */
export function factsElsewhere(visits: readonly VisitAtFacility[]): Map<VisitGroup, Fact[]> {
  const byMark = new Map<string, Set<VisitAtFacility>>();
  for (const visit of visits) {
    for (const mark of visit.group.facts.flatMap((fact) => marksWithin(visit, fact))) {
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
