import { counted } from '#contract/counted.ts';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import type { Encounter, Patient } from '#contract/patients.ts';
import { formatDate } from '../ui/format/date.ts';

/** Returns whether the patient is still there, which includes a leave of absence. */
export const isOngoing = ({ status, dischargedDate }: Encounter): boolean =>
  !dischargedDate && (status === 'IN_PROGRESS' || status === 'ON_LEAVE');

/** Whether the visit is an outpatient's, who is not discharged: an account may cover appointments of months, and be closed days after the last one. */
export const isOutpatientAccount = ({ setting, lengthOfStay }: Pick<Encounter, 'setting' | 'lengthOfStay'>): boolean =>
  setting === 'OUTPATIENT' && lengthOfStay === null;

/** Returns "5 visits, last 11/16/2026" for a series of outpatient visits; null for any other. */
export const seriesInWords = ({ series, admittingFacility: { timeZone } }: Encounter): string | null =>
  series ? `${counted(series.visits, 'visit')}, last ${formatDate(series.lastDate, timeZone)}` : null;

/** What the end of a stay is called: where services end, nobody is discharged. */
export const endWord = (stay: Pick<Encounter, 'setting' | 'pings' | 'lengthOfStay'>): string => {
  const { setting, pings } = stay;
  if (isOutpatientAccount(stay)) return 'Account closed';
  if (setting === 'HHA') return EVENT_LABELS.ENDED_HHA_SERVICES;
  const end = pings.find(({ status, state }) => status in ENDS && state !== 'CANCELLED');
  return EVENT_LABELS[end?.status === 'ENDED_SERVICES' ? 'ENDED_SERVICES' : 'DISCHARGE'];
};
const ENDS = { DISCHARGE: true, ENDED_SERVICES: true };

/**
 * Returns when the hospital changed an inpatient stay to observation or outpatient care; null if it didn't. The whole stay then counts as if it had
 * never been inpatient (Medicare Claims Processing Manual, chapter 1, 50.3.2), so `inpatientNights` is 0.
 */
export const changedFromInpatient = ({ setting, pings }: Pick<Encounter, 'setting' | 'pings'>): string | null => {
  if (setting !== 'OBSERVATION' && setting !== 'OUTPATIENT') return null;
  const change = pings.find(
    (ping) => ping.priorSetting === 'INPATIENT' && ping.setting === setting && ping.state !== 'CANCELLED',
  );
  return change?.eventDate ?? null;
};

/** In the ED and under observation no night counts as an inpatient night. After a leave, the nights before it may still be the longest run. */
const hasMoreNights = ({ setting, leaveDays }: Encounter): boolean =>
  setting !== 'EMERGENCY' && setting !== 'OBSERVATION' && !leaveDays;

/** Returns "Day 6" of an ongoing stay, where the first day is day 1, or the length of an ended one; null where it is unknown. */
export const stayDay = (stay: Encounter): string | null => {
  if (isOngoing(stay)) return stay.lengthOfStay === null ? null : `Day ${stay.lengthOfStay + 1}`;
  return stay.visitDuration;
};

/** Returns the duration of a stay, with the days on leave that it leaves out. */
export const durationInWords = ({ visitDuration, leaveDays }: Encounter): string | null =>
  visitDuration && leaveDays ? `${visitDuration}, not counting ${counted(leaveDays, 'day')} on leave` : visitDuration;

/** Returns the calendar day in `timeZone`, as days since 1970. */
const dayNumber = (at: Date, timeZone: string): number => {
  const [month = 0, day = 0, year = 0] = formatDate(at.toISOString(), timeZone).split('/').map(Number);
  return Date.UTC(year, month - 1, day) / 86_400_000;
};

const isOver = ({ deceased, isDeathInDoubt }: Patient): boolean => deceased && !isDeathInDoubt;

/**
 * Returns patients that were loaded at `asOf` (epoch milliseconds) as they are at `now`: an ongoing stay is one day longer for each
 * midnight that passed at its facility, unless the patient is on leave. A death stops the count.
 */
export const asOfNow = (patients: readonly Patient[], asOf: number, now: Date): readonly Patient[] => {
  const loaded = new Date(asOf);
  const passed = new Map<string, number>();
  const midnights = (zone: string): number => {
    const known = passed.get(zone) ?? Math.max(0, dayNumber(now, zone) - dayNumber(loaded, zone));
    passed.set(zone, known);
    return known;
  };
  return patients.map((patient) => {
    const stay = patient.currentPingEncounter;
    if (!stay || stay.lengthOfStay === null || !isOngoing(stay) || isOver(patient) || stay.status === 'ON_LEAVE')
      return patient;
    const more = midnights(stay.admittingFacility.timeZone);
    if (more === 0) return patient;
    const nights = stay.inpatientNights;
    const inpatientNights = nights === null || !hasMoreNights(stay) ? nights : nights + more;
    const earlier = stay.nightsWithEarlierStay;
    return {
      ...patient,
      currentPingEncounter: {
        ...stay,
        lengthOfStay: stay.lengthOfStay + more,
        inpatientNights,
        ...(earlier && hasMoreNights(stay) && { nightsWithEarlierStay: { ...earlier, own: earlier.own + more } }),
      },
    };
  });
};
