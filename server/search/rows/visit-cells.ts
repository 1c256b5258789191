/** What a row says of a visit: the person's latest one, that of a ping, that of an event. Pure. */
import { admitSourceLabel, dispositionLabel } from '#contract/dispositions.ts';
import type { EventCode, Setting } from '#contract/event-codes.ts';
import { againstExpected, expectedDays } from '#server/encounters/expected-stay.ts';
import type { Moment } from '#server/hl7/facts.ts';
import { instantOfLocal, localDateOf } from '#server/hl7/zone.ts';
import { NO_VISIT_FLAGS, type VisitFlags } from '#server/rules/visit-flags.ts';
import type { Row } from '../columns/types.ts';
import type { VisitMulti, VisitNumber, VisitSingle } from '../schema.ts';
import type { PingFacts, VisitFacts } from './queries.ts';

const MINUTE = 60_000;
export const DAY = 86_400_000;

export interface VisitCellsOf {
  /** Null where the visit may not be read (a ping of it was told, and it is another person's). */
  visit: VisitFacts | null;
  facility: VisitFacts['facility'];
  /** What happened, and when: seconds and days since 1970. Null where nothing has yet. */
  event: { code: EventCode; at: number; day: number } | null;
  setting: Setting;
  ping: PingFacts | null;
  flags: VisitFlags | undefined;
  diagnoses: readonly string[];
  priorDiagnoses: readonly string[];
  /** Milliseconds. */
  now: number;
}

export interface VisitCells extends Pick<Row, 'sortTexts'> {
  singles: Record<VisitSingle, string | null>;
  multis: Record<VisitMulti, readonly string[]>;
  numbers: Record<VisitNumber, number | null>;
}

export function visitCells(of: VisitCellsOf): VisitCells {
  const { visit, facility, event, ping, flags = NO_VISIT_FLAGS, now } = of;
  const state = visit?.state ?? null;
  const isOpen = state !== null && isOngoing(state);
  const yes = (is: unknown) => (is ? 'YES' : null);
  const lasted = stay(state, facility.timeZone, now);
  const expected = state === null || lasted.stayDays === null ? null : expectedDays(state);
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
      dischargedTo: state && (state.dischargedTo ?? dispositionLabel(state.disposition)),
      skilledNursing30Day: yes(flags.recentSnfStay),
      // There are no documents yet.
      dischargeSummary: null,
      readmissionRisk: yes(flags.readmissionRisk),
      recentInpatientStay: yes(flags.recentInpatientStay),
      expectedStay: lasted.stayDays === null ? null : againstExpected(lasted.stayDays, expected),
      // Home health coverage goes on for months: nobody is in a place by it (decisions, "Currently Admitted").
      isOpen: isOpen && state.setting !== 'HHA' ? 'OPEN' : null,
    },
    multis: {
      diagnoses: of.diagnoses,
      priorDiagnoses: of.priorDiagnoses,
      encounterTags: flags.encounterTags,
      latestPingResolutionReason: ping?.status === 'RESOLVED' ? (ping.resolutions ?? []) : [],
    },
    numbers: {
      eventDay: event?.day ?? null,
      eventAt: event?.at ?? null,
      statusAt: ping?.statusAt ?? event?.at ?? null,
      toldAt: ping?.createdAt ?? null,
      dischargedDay: state?.dischargedAt ? dayNumber(state.dischargedAt.localDate) : null,
      ...lasted,
      expectedDays: expected,
    },
    sortTexts: { roomAndBed: [state?.location?.room, state?.location?.bed].filter(Boolean).join(' ') },
  };
}

export const isOngoing = ({ status }: VisitFacts['state']): boolean =>
  status === 'IN_PROGRESS' || status === 'ON_LEAVE';
/** Days since 1970 of YYYY-MM-DD. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY;
const instantOf = (moment: Moment): number => Date.parse(moment.instant);

function stay(
  state: VisitFacts['state'] | null,
  timeZone: string,
  now: number,
): Record<'stayDays' | 'stayMinutes' | 'openFor', number | null> {
  const admitted = state?.admittedAt;
  if (!state || !admitted || (state.dischargedAt === null && !isOngoing(state)))
    return { stayDays: null, stayMinutes: null, openFor: null };
  const from = instantOf(admitted);
  const today = localDateOf(now, timeZone);
  const lastDay = state.dischargedAt?.localDate ?? today;
  // Open stays are all measured at the same moment, so that their order is right.
  const until = state.dischargedAt ? instantOf(state.dischargedAt) : midnight(dayNumber(today), timeZone);
  return {
    stayDays: Math.max(0, dayNumber(lastDay) - dayNumber(admitted.localDate)),
    stayMinutes: Math.max(0, Math.floor((until - from) / MINUTE)),
    openFor: state.dischargedAt ? null : -Math.floor(from / MINUTE),
  };
}

const midnight = (day: number, timeZone: string): number => instantOfLocal(day * DAY, timeZone);

/** When the days of an open stay change. */
export const nextMidnight = (now: number, timeZone: string): number =>
  midnight(dayNumber(localDateOf(now, timeZone)) + 1, timeZone);
