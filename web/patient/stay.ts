import type { Encounter, Patient } from '#contract/patients.ts';
import { formatDate } from '../ui/format/date.ts';

/** Whether it goes on. */
export const isOngoing = ({ status, dischargedDate }: Encounter): boolean =>
  !dischargedDate && (status === 'IN_PROGRESS' || status === 'ON_LEAVE');

/** "Day 6" of a stay that goes on, the first day being day 1; its length once it has ended. Null while nobody knows. */
export const stayDay = (stay: Encounter): string | null => {
  if (isOngoing(stay)) return stay.lengthOfStay === null ? null : `Day ${stay.lengthOfStay + 1}`;
  return stay.visitDuration;
};

/** Days since 1970 of the calendar day that a clock in `timeZone` shows. */
const dayNumber = (at: Date, timeZone: string): number => {
  const [month = 0, day = 0, year = 0] = formatDate(at.toISOString(), timeZone).split('/').map(Number);
  return Date.UTC(year, month - 1, day) / 86_400_000;
};

/**
 * Patients as they were read at `asOf` (epoch milliseconds), the stays that go on longer by the midnights at their facilities
 * since then.
 */
export const asOfNow = (patients: readonly Patient[], asOf: number, now: Date): readonly Patient[] => {
  const read = new Date(asOf);
  const passed = new Map<string, number>();
  const midnights = (zone: string): number => {
    const known = passed.get(zone) ?? Math.max(0, dayNumber(now, zone) - dayNumber(read, zone));
    passed.set(zone, known);
    return known;
  };
  return patients.map((patient) => {
    const stay = patient.currentPingEncounter;
    if (!stay || stay.lengthOfStay === null || !isOngoing(stay)) return patient;
    const more = midnights(stay.admittingFacility.timeZone);
    if (more === 0) return patient;
    return { ...patient, currentPingEncounter: { ...stay, lengthOfStay: stay.lengthOfStay + more } };
  });
};
