import { type RuleVisit, ruleVisit } from '#server/record/rules/rule-visit.ts';
import type { FacilityRow, VisitRow } from './queries.ts';

/** Returns a visit as the rules see it. */
export function ruleVisitOf(visit: VisitRow, facilities: Map<string, FacilityRow>): RuleVisit {
  const facility = facilities.get(visit.groupId);
  if (!facility) throw new Error(`The facility ${visit.groupId} of an encounter was not loaded`);
  const { id, state, presentedAt, inpatientFrom, diedAt } = visit;
  return ruleVisit({
    id,
    state,
    facility,
    presentedAt: presentedAt === null ? null : Date.parse(presentedAt),
    inpatientFrom: inpatientFrom === null ? null : Date.parse(inpatientFrom),
    diedAt: diedAt === null ? null : Date.parse(diedAt),
  });
}
