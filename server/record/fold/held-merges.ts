/**
 * Merges of record numbers (A40 and others) whose people contradict each other. They are held until a person decides, because a merge
 * gives one patient's visits to the other's teams. A move of a single visit is not held: it corrects a registration.
 */
import { completedBy, contradictsMerge } from '#server/record/scoring/contradiction.ts';
import type { Fact } from './fold-input.ts';
import { byTimeWritten, timeWritten } from './folded-demographics.ts';
import type { Holder } from './number-holders.ts';
import { usableNumber } from './visit-identifiers.ts';
import { NEVER_A_VISIT, RECORD_MERGES } from './visit-triggers.ts';

/** By the names of the holders. */
export interface HeldMerge {
  factId: string;
  prior: string;
  surviving: string;
}

/**
 * What is known about a merge besides its facts. 'confirmed': a person decided that the two holders are one patient. 'held': it is held at
 * the facility that sent it. Null: the facts decide.
 */
export type DecisionOn = (prior: string, surviving: string, merge: Fact) => 'confirmed' | 'held' | null;

/** Returns the merges to hold, in the order in which they were written. `facts`: with a record number per holder. */
export function heldMerges(
  facts: readonly Fact[],
  holders: ReadonlyMap<string, Holder>,
  decisionOn: DecisionOn,
): HeldMerge[] {
  const merges = facts.filter(({ adt }) => RECORD_MERGES.has(adt.trigger) && adt.merge?.priorRecordNumber);
  return merges.sort(byTimeWritten).flatMap((fact) => {
    const { patient, merge } = fact.adt;
    const [prior, surviving] = [merge?.priorRecordNumber?.trim() ?? '', patient.recordNumber.trim()];
    const [from, into] = [holders.get(prior), holders.get(surviving)];
    if (!from || !into || from === into) return [];
    const decision = decisionOn(prior, surviving, fact);
    const isHeld = decision === null ? areContradictory(from, into) : decision === 'held';
    return isHeld ? [{ factId: fact.id, prior, surviving }] : [];
  });
}

const areContradictory = (from: Holder, into: Holder): boolean =>
  [...from.identities].every((a) =>
    [...into.identities].every((b) => contradictsMerge(completedBy(a, from.known), completedBy(b, into.known))),
  );

/**
 * Returns the facts as if the merges had not been sent. A visit of the prior record number that goes on under the surviving one stays the
 * prior patient's, without the demographics of its later messages, which are the surviving patient's. `numberOf`: the record number within
 * a holder's name.
 */
export function withoutMerges(
  facts: readonly Fact[],
  held: readonly HeldMerge[],
  numberOf: (name: string) => string,
): readonly Fact[] {
  if (held.length === 0) return facts;
  const isHeld = new Set(held.map(({ factId }) => factId));
  const moves = new Map(held.flatMap((merge) => continuedVisits(facts, merge, numberOf)));
  return facts.map((fact) => {
    const { patient, merge } = fact.adt;
    if (isHeld.has(fact.id)) {
      return { ...fact, adt: { ...fact.adt, merge: merge && { ...merge, priorRecordNumber: null } } };
    }
    const recordNumber = moves.get(fact.id);
    if (recordNumber === undefined) return fact;
    const { identifiers, deceased, deceasedAt } = patient;
    return { ...fact, adt: { ...fact.adt, patient: { recordNumber, identifiers, deceased, deceasedAt } } };
  });
}

/** Returns the facts (by id) that continue a visit of the prior patient under the surviving record number, with the prior one. */
function continuedVisits(
  facts: readonly Fact[],
  { factId, prior, surviving }: HeldMerge,
  numberOf: (name: string) => string,
): [id: string, recordNumber: string][] {
  const merge = facts.find(({ id }) => id === factId);
  const mergedAt = merge ? timeWritten(merge) : '';
  const ofPrior = new Set(facts.filter((fact) => nameOf(fact) === prior).flatMap((fact) => visitOf(fact) ?? []));
  const ofSurviving = facts.filter((fact) => numberOf(nameOf(fact)) === numberOf(surviving));
  const [before, after] = [
    ofSurviving.filter((fact) => timeWritten(fact) < mergedAt),
    ofSurviving.filter((fact) => timeWritten(fact) > mergedAt),
  ];
  const own = new Set(before.flatMap((fact) => visitOf(fact) ?? []));
  return after.flatMap((fact) => {
    const visit = visitOf(fact);
    return visit !== null && ofPrior.has(visit) && !own.has(visit) ? [[fact.id, prior]] : [];
  });
}

const nameOf = ({ adt }: Fact): string => adt.patient.recordNumber.trim();
const visitOf = ({ adt: { trigger, visit } }: Fact): string | null =>
  NEVER_A_VISIT.has(trigger) ? null : usableNumber(visit?.visitNumber);
