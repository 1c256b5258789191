/**
 * Merges of record numbers (A40 and others) whose people contradict each other. They are held until a person decides, because a merge
 * gives one patient's visits to the other's teams. A move of a single visit is not held: it corrects a registration.
 */
import { completedBy, contradictsMerge } from '#server/record/scoring/contradiction.ts';
import type { Fact } from './fold-input.ts';
import { byTimeWritten } from './folded-demographics.ts';
import type { Holder } from './number-holders.ts';
import { RECORD_MERGES } from './visit-triggers.ts';

/** By the names of the holders. */
export interface HeldMerge {
  factId: string;
  prior: string;
  surviving: string;
}

/** Whether a person decided that two holders are one patient. */
export type IsConfirmed = (prior: string, surviving: string) => boolean;

/** Returns the merges to hold, in the order in which they were written. `facts`: with a record number per holder. */
export function heldMerges(
  facts: readonly Fact[],
  holders: ReadonlyMap<string, Holder>,
  isConfirmed: IsConfirmed,
): HeldMerge[] {
  const merges = facts.filter(({ adt }) => RECORD_MERGES.has(adt.trigger) && adt.merge?.priorRecordNumber);
  return merges.sort(byTimeWritten).flatMap(({ id, adt: { patient, merge } }) => {
    const [prior, surviving] = [merge?.priorRecordNumber?.trim() ?? '', patient.recordNumber.trim()];
    const [from, into] = [holders.get(prior), holders.get(surviving)];
    if (!from || !into || from === into || !areContradictory(from, into) || isConfirmed(prior, surviving)) return [];
    return [{ factId: id, prior, surviving }];
  });
}

const areContradictory = (from: Holder, into: Holder): boolean =>
  [...from.identities].every((a) =>
    [...into.identities].every((b) => contradictsMerge(completedBy(a, from.known), completedBy(b, into.known))),
  );

/** Returns the fact without its merge: the visits stay where they are. */
export const withoutMerge = (fact: Fact): Fact => ({
  ...fact,
  adt: { ...fact.adt, merge: fact.adt.merge && { ...fact.adt.merge, priorRecordNumber: null } },
});
