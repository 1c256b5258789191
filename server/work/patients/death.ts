import { DAY } from '#contract/durations.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import { isDeathDoubtful } from '#server/record/rules/contradiction.ts';
import { deathOf, isDeathInDoubt, type RuleVisit, startOf } from '#server/record/rules/rule-visit.ts';
import type { ReasonContext } from './ping-reason.ts';
import type { FacilityRow, VisitRow } from './queries.ts';

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

interface DeathSeen {
  death: Pick<Patient, 'deceased' | 'isDeathInDoubt'>;
  /** No death was reported, or it is in doubt. */
  mayLive: boolean;
  /** Until when the visit with this id is counted: the death; now if its senders took it back, or the visit began after it. */
  untilOf: (visitId: string | undefined) => Date;
}

interface SeenPatient {
  /** Whether a facility says so. */
  hasDied: boolean;
  visits: readonly RuleVisit[];
  pings: readonly Ping[];
  now: Date;
}

/** Returns how a death counts on the patient's pages. In doubt is one that its senders took back, or that a visit or one of the pings contradicts. */
export function deathSeen(died: ReasonContext['died'], { hasDied, visits, pings, now }: SeenPatient): DeathSeen {
  const at = died?.at ?? null;
  const isInDoubt =
    hasDied && (isDeathDoubtful(visits, at) || pings.some(({ reason }) => reason?.code === 'AFTER_DEATH'));
  const isTakenBack = isDeathInDoubt(visits);
  const beganAfter = (visitId: string | undefined, diedAt: number) => {
    const visit = visits.find(({ id }) => id === visitId);
    return visit !== undefined && (startOf(visit) ?? 0) > diedAt;
  };
  return {
    death: { deceased: hasDied, ...(isInDoubt && { isDeathInDoubt: true }) },
    mayLive: !hasDied || isInDoubt,
    untilOf: (visitId) =>
      at === null || isTakenBack || beganAfter(visitId, at) ? now : new Date(Math.min(now.getTime(), at)),
  };
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
