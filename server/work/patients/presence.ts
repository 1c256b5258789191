import type { Patient } from '#contract/patients.ts';
import { isOpenResidence } from '#server/record/rules/current-stay.ts';
import { isOngoing, type RuleVisit, startOf } from '#server/record/rules/rule-visit.ts';
import { dateOf } from './encounter.ts';
import type { FacilityRow, VisitRow } from './queries.ts';

/** Settings of visits during which a person lives at home. */
const AT_HOME = new Set<RuleVisit['setting']>(['HHA', 'OUTPATIENT']);

/**
 * Returns the open stay that began last, if that was after the one shown; once the one shown is over, also the residence to which the patient went back.
 * `visits`, `counted`: the person's that the reader may see, twice.
 */
export function presenceAfter(
  shown: VisitRow,
  {
    visits,
    counted,
    facilities,
  }: { visits: readonly VisitRow[]; counted: readonly RuleVisit[]; facilities: ReadonlyMap<string, FacilityRow> },
): Patient['nowAt'] {
  const from = counted.find(({ id }) => id === shown.id);
  const began = (from && startOf(from)) ?? 0;
  const isOver = from !== undefined && !isOngoing(from);
  const isBackAt = (visit: RuleVisit) => isOver && isOpenResidence(visit) && visit.status !== 'ON_LEAVE';
  const later = counted.filter(
    (visit) => isOngoing(visit) && !AT_HOME.has(visit.setting) && ((startOf(visit) ?? 0) > began || isBackAt(visit)),
  );
  const now = later.toSorted((a, b) => (startOf(b) ?? 0) - (startOf(a) ?? 0))[0];
  const facility = now && facilities.get(now.facilityId);
  const visit = now && visits.find(({ id }) => id === now.id);
  if (!facility || !visit) return undefined;
  const { name: facilityName, timeZone } = facility;
  return { facilityName, timeZone, setting: now.setting, since: dateOf(visit.state.admittedAt) };
}
