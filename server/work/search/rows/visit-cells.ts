/** The cells of a row about a visit: the person's latest one, or the visit of a ping or an event. Pure. */
import { admitSourceLabel } from '#contract/dispositions.ts';
import { DAY, MINUTE } from '#contract/durations.ts';
import type { EventCode, Setting } from '#contract/event-codes.ts';
import { instantOfLocal, localDayOf } from '#server/platform/calendar/time-zone.ts';
import { againstExpected, expectedDays } from '#server/record/fold/expected-stay.ts';
import { type Destination, destinationOf } from '#server/record/rules/destination.ts';
import { isOngoing } from '#server/record/rules/rule-visit.ts';
import { NO_VISIT_FLAGS, type VisitFlags } from '#server/record/rules/visit-flags.ts';
import { isOutpatientAccount, stayLength } from '#server/work/patients/stay-length.ts';
import type { Row } from '../columns/types.ts';
import type { VisitMulti, VisitNumber, VisitSingle } from '../schema.ts';
import type { FacilityFacts, PingFacts, ShownState } from './row-sources.ts';

export interface VisitCellsOf {
  /** Null if the visit may not be read: a ping was sent, but the visit has turned out to be another person's. */
  visit: { state: ShownState; stay: Stay; diagnoses: readonly string[]; isOverByDeath?: true } | null;
  facility: FacilityFacts;
  /** Returns the facility that the patient was transferred to. */
  destination: (facilityId: string) => Destination | undefined;
  /** The event and its time in seconds and days since 1970. Null if there is none yet. */
  event: { code: EventCode; at: number; day: number } | null;
  setting: Setting;
  ping: PingFacts | null;
  flags: VisitFlags | undefined;
  /** The visit has a discharge summary that the scope's users may see. */
  hasSummary: boolean;
  priorDiagnoses: readonly string[];
}

export interface VisitCells extends Pick<Row, 'sortTexts'> {
  singles: Record<VisitSingle, string | null>;
  multis: Record<VisitMulti, readonly string[]>;
  numbers: Record<VisitNumber, number | null>;
}

/** Returns the cells of a row that are about its visit. */
export function visitCells(of: VisitCellsOf): VisitCells {
  const { visit, facility, event, ping, flags = NO_VISIT_FLAGS } = of;
  const state = visit?.state ?? null;
  const isOpen = state !== null && isOngoing(state);
  const yes = (is: unknown) => (is ? 'YES' : null);
  const stay = visit?.stay ?? NO_STAY;
  return {
    singles: {
      currentStatus: event?.code ?? null,
      facilityName: facility.name,
      facilityState: facility.state,
      facilityType: facility.facilityType,
      groupType: facility.type,
      setting: of.setting,
      floorUnit: isOpen ? (state.location?.pointOfCare ?? null) : null,
      admittedFrom: admitSourceLabel(state?.admitSource ?? null),
      dischargedTo: state && destinationOf(state, of.destination),
      skilledNursing30Day: yes(flags.recentSnfStay),
      dischargeSummary: yes(of.hasSummary),
      readmissionRisk: yes(flags.readmissionRisk),
      recentInpatientStay: yes(flags.recentInpatientStay),
      expectedStay: stay.stayDays === null ? null : againstExpected(stay.stayDays, stay.expectedDays),
      // Home health coverage lasts for months and does not mean that the person is at the facility.
      isOpen: isOpen && !visit?.isOverByDeath && state.setting !== 'HHA' ? 'OPEN' : null,
    },
    multis: {
      diagnoses: visit?.diagnoses ?? [],
      priorDiagnoses: of.priorDiagnoses,
      encounterTags: flags.encounterTags,
      latestPingResolutionReason: ping?.status === 'RESOLVED' ? (ping.resolutions ?? []) : [],
    },
    numbers: {
      eventDay: event?.day ?? null,
      eventAt: event?.at ?? null,
      statusAt: ping?.statusAt ?? event?.at ?? null,
      pingedAt: ping?.createdAt ?? null,
      ...stay,
    },
    // Whoever has left is in no room.
    sortTexts: { roomAndBed: isOpen ? [state.location?.room, state.location?.bed].filter(Boolean).join(' ') : '' },
  };
}

/** Returns YYYY-MM-DD in days since 1970. */
const dayNumber = (day: string): number => Date.parse(day) / DAY;

/** The actual and expected length of a visit; of an open visit up to `now` (milliseconds). */
export type Stay = Readonly<
  Record<'dischargedDay' | 'stayDays' | 'stayMinutes' | 'openSince' | 'expectedDays', number | null>
>;

const NO_STAY: Stay = { dischargedDay: null, stayDays: null, stayMinutes: null, openSince: null, expectedDays: null };

/** A death (milliseconds) ends the count of an open stay. `settings`: those of its arrivals in the ED, admissions and transfers. */
export function stayOf(
  { state, settings, timeZone }: { state: ShownState; settings: readonly Setting[]; timeZone: string },
  now: number,
  diedAt: number | null = null,
): Stay {
  const { dischargedAt } = state;
  const dischargedDay = dischargedAt && dayNumber(dischargedAt.localDate);
  const isStay = !isOutpatientAccount(state.setting, settings);
  const length = isStay ? stayLength(state, timeZone, Math.min(now, diedAt ?? now)) : null;
  if (!length) return { ...NO_STAY, dischargedDay };
  const { days, minutes, isInDays, since } = length;
  const isRunning = !isInDays && state.status === 'IN_PROGRESS' && dischargedAt === null && diedAt === null;
  return {
    dischargedDay,
    stayDays: days,
    stayMinutes: isInDays ? (days * DAY) / MINUTE : isRunning ? null : minutes,
    openSince: isRunning ? Math.floor(since / MINUTE) : null,
    expectedDays: expectedDays(state),
  };
}

const midnight = (day: number, timeZone: string): number => instantOfLocal(day * DAY, timeZone);

/** Returns when the day count of an open stay next changes. */
export const nextMidnight = (now: number, timeZone: string): number =>
  midnight(localDayOf(now, timeZone) + 1, timeZone);
