/** What is due after a patient's discharges, and what was done (docs/decisions/0065). */
import type { ContactedStatus, DischargeFollowUp, FollowUpClock } from '#contract/follow-ups.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { addDays } from '#server/platform/calendar/business-days.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import {
  type Discharge,
  endOf,
  followUpClocks,
  isContactMissed,
  isOwed,
  notStartedBy,
} from '#server/record/rules/follow-up.ts';
import { mayBeMedicare } from '#server/record/rules/medicare.ts';
import {
  countsForTransitions,
  firstOfTransition,
  goesOn,
  isToHospice,
  type Transition,
  transitionWindows,
} from '#server/record/rules/transitions-of-care.ts';
import { seesDischargeSummaries } from '#server/work/documents/discharge.ts';
import { getPatient } from '#server/work/patients/get.ts';
import type { LoadedPatient } from '#server/work/patients/load.ts';
import { eventsAsPings, type PingRow, pingsOf } from '#server/work/patients/queries.ts';
import { summariesReceived } from './queries.ts';

const SHOWN_DAYS = 60;

/** Returns the discharges of the last sixty days, newest first, with their clocks. Errors: NOT_FOUND. */
export async function followUpsOf(tx: ActorTransaction, patientId: string, now: Date): Promise<DischargeFollowUp[]> {
  const loaded = await getPatient(tx, patientId, now);
  const since = addDays(loaded.followUp.today, -SHOWN_DAYS);
  // A patient who came back on the day of the discharge is there again.
  const recent = loaded.visits.filter(({ state }) => !state.dischargedAt || state.dischargedAt.localDate >= since);
  const encounterIds = [...new Set(recent.flatMap(({ id }) => [id, firstStayOf(id, loaded)]))];
  const known = await knownOf(tx, loaded, encounterIds);
  return known.events
    .filter(({ code, state, eventDay }) => code === 'DISCHARGE' && state !== 'CANCELLED' && eventDay >= since)
    .toSorted((a, b) => Date.parse(b.eventAt) - Date.parse(a.eventAt))
    .map((event) => followUpOf(event, loaded, known));
}

/** Returns the windows of HEDIS TRC of a discharge. */
export async function windowsOf(
  tx: ActorTransaction,
  event: PingRow,
  loaded: LoadedPatient,
): Promise<DischargeFollowUp['windows']> {
  const encounterIds = [...new Set([event.encounterId, firstStayOf(event.encounterId, loaded)])];
  return followUpOf(event, loaded, await knownOf(tx, loaded, encounterIds)).windows;
}

/** What the team knows of stays. */
interface Known {
  events: readonly PingRow[];
  pings: readonly PingRow[];
  /** When the first discharge summary of a stay was there for the team, by encounter. */
  summaries: ReadonlyMap<string, string>;
}

async function knownOf(tx: ActorTransaction, { listings }: LoadedPatient, encounterIds: string[]): Promise<Known> {
  const sees = await seesDischargeSummaries(tx, listings[0]?.id ?? '0');
  const [events, pings, summaries] = await Promise.all([
    eventsAsPings(tx, { eventIds: [], encounterIds }),
    pingsOf(tx, encounterIds),
    sees ? summariesReceived(tx, encounterIds) : new Map<string, string>(),
  ]);
  return { events, pings, summaries };
}

/** Returns the status of a discharge that is resolved as "Contacted patient"; null if it is not. */
export function contactedStatusOf(ping: PingRow | undefined): ContactedStatus | null {
  const by = ping?.statusName ?? ping?.statusUsername;
  const isSaid = ping?.managementStatus === 'RESOLVED' && ping.statusResolutions?.includes('CONTACTED_PATIENT');
  return isSaid && by && ping.statusDate ? { by, date: ping.statusDate } : null;
}

/** Returns the encounter whose admission counts for the measure. */
function firstStayOf(encounterId: string, { counted }: LoadedPatient): string {
  const stay = counted.find(({ id }) => id === encounterId);
  return stay ? firstOfTransition(stay, counted).id : encounterId;
}

function followUpOf(event: PingRow, loaded: LoadedPatient, known: Known): DischargeFollowUp {
  const { facility, eventDate, dischargedTo } = loaded.pingOf(event);
  const discharge: Discharge = {
    encounterId: event.encounterId,
    setting: event.setting,
    at: Date.parse(event.eventAt),
    day: event.eventDay,
    disposition: event.detail.disposition ?? event.detail.dischargedTo,
  };
  const notStarted = notStartedBy(discharge, loaded.counted);
  const end = endOf(discharge, loaded.counted, loaded.timeZone);
  const clocks = notStarted === null ? followUpClocks(discharge, loaded.followUp, end) : [];
  const isUnmet = clocks.some(({ metAt }) => metAt === null);
  const [contact] = clocks;
  const stay = transitionOf(event, loaded, known);
  return {
    encounterId: event.encounterId,
    eventIdentifier: event.eventId,
    facilityName: facility.name,
    timeZone: facility.timeZone,
    dischargedAt: eventDate,
    setting: event.setting,
    dischargedTo,
    noClock: notStarted ?? (isUnmet && end ? end.reason : null),
    clocks: clocks.map(shown),
    contactMissed: contact !== undefined && isContactMissed(contact),
    isOwed: isOwed(discharge, loaded.counted),
    contactedStatus:
      contact?.metAt === null ? contactedStatusOf(known.pings.find(({ eventId }) => eventId === event.eventId)) : null,
    windows:
      // After a readmission or a transfer the measure goes on with the last discharge.
      countsForTransitions(stay) &&
      isOfMedicare(event, loaded) &&
      !goesOn(event.encounterId, discharge.at, loaded.counted)
        ? transitionWindows(stay, loaded.followUp).map((window) => shown({ ...window, soonOn: null, attempts: 0 }))
        : [],
  };
}

/** The measure is one of Medicare plans (HEDIS TRC). */
function isOfMedicare({ encounterId, eventDay }: PingRow, { visits, listings }: LoadedPatient): boolean {
  const payers = visits.find(({ id }) => id === encounterId)?.state.payers ?? [];
  const insurance = listings.flatMap((listing) => listing.insurance);
  return mayBeMedicare({ payers, insurance, birthDate: listings[0]?.dateOfBirth ?? null }, eventDay);
}

const shown = ({ metAt, ...clock }: Omit<FollowUpClock, 'metAt'> & { metAt: number | null }): FollowUpClock => ({
  ...clock,
  metAt: metAt === null ? null : new Date(metAt).toISOString(),
});

const knownAt = (at: number, timeZone: string) => ({ at, day: localDateOf(at, timeZone) });

function transitionOf(event: PingRow, loaded: LoadedPatient, { events, pings, summaries }: Known): Transition {
  const { counted, listings, timeZone } = loaded;
  const first = firstStayOf(event.encounterId, loaded);
  const isAdmission = ({ encounterId, code, state }: PingRow): boolean =>
    encounterId === first && code === 'ADMIT' && state !== 'CANCELLED';
  const admission = events.findLast(isAdmission);
  const notice = pings.findLast(isAdmission);
  const summary = summaries.get(event.encounterId);
  const year = event.eventDay.slice(0, 4);
  return {
    setting: event.setting,
    admittedOn: admission?.eventDay ?? null,
    dischargedOn: event.eventDay,
    disposition: event.detail.disposition ?? event.detail.dischargedTo,
    bornOn: listings[0]?.dateOfBirth ?? null,
    wasInHospice: counted.some(
      ({ setting, disposition, admittedAt, dischargedAt }) =>
        (setting === 'HOSPICE' || isToHospice(disposition)) &&
        [admittedAt, dischargedAt].some((at) => at !== null && localDateOf(at, timeZone).startsWith(year)),
    ),
    admissionKnown: notice ? knownAt(Date.parse(notice.createdAt), timeZone) : null,
    summaryKnown: summary ? knownAt(Date.parse(summary), timeZone) : null,
  };
}
