import type { Patient } from '#contract/patients.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import { deathOf, type RuleVisit } from '#server/record/rules/rule-visit.ts';
import type { ReasonContext } from './ping-reason.ts';
import type { FacilityRow, VisitRow } from './queries.ts';

const DAY = 86_400_000;

/** Returns the death with its time: of the earliest DECEASED event, or else the date that a facility reported. A row says one date for both. */
export function deathIn(
  visits: readonly RuleVisit[],
  died: { on: string | null } | null,
  timeZone: string,
  facilities: Map<string, FacilityRow>,
): ReasonContext['died'] {
  const at = deathOf(visits);
  const on = died?.on ?? null;
  if (at !== null) {
    const place = facilities.get(visits.find(({ diedAt }) => diedAt === at)?.facilityId ?? '');
    return { at, on: on && localDateOf(at, place?.timeZone ?? timeZone) };
  }
  return died && { at: on === null ? null : instantOfLocal(Date.parse(on) + DAY, timeZone) - 1, on };
}

/** Returns the day that the banner says, which is that of the DECEASED event, and whether only its report dates it. */
export function dateOfDeath(
  died: ReasonContext['died'],
  visits: readonly VisitRow[],
  counted: readonly RuleVisit[],
  facilities: Map<string, FacilityRow>,
): Pick<Patient, 'deceasedDate' | 'isDeceasedDateReported'> {
  if (!died || died.on !== null || died.at === null) return { deceasedDate: died?.on ?? null };
  const id = counted.find(({ diedAt }) => diedAt === died.at)?.id;
  const visit = visits.find((each) => each.id === id);
  const facility = visit && facilities.get(visit.groupId);
  if (!facility) return { deceasedDate: null };
  const deceasedDate = localDateOf(died.at, facility.timeZone);
  return { deceasedDate, ...(visit.state.isDeathDatedByReport && { isDeceasedDateReported: true }) };
}
