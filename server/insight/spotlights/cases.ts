/** What a spotlight counts, from the visits of one person. Pure; the rules are those of the lists and flags. */
import type { SpotlightName } from '#contract/spotlights.ts';
import type { Holidays } from '#server/platform/calendar/business-days.ts';
import { localDateOf, localDayOf } from '#server/platform/calendar/time-zone.ts';
import { acuteCare } from '#server/record/rules/acute-care.ts';
import { type Attempt, type Discharge, endOf, followUpClocks, notStartedBy } from '#server/record/rules/follow-up.ts';
import { inpatientStays, READMISSION_WITHIN_DAYS } from '#server/record/rules/readmissions.ts';
import { admissionOf, hasHappened, isAcuteInpatient, type RuleVisit } from '#server/record/rules/rule-visit.ts';
import { daysIn, emergencyVisits, steppedDownFrom } from '#server/record/rules/transfers.ts';

/** Something that is counted, such as a discharge. */
export interface Case {
  personId: string;
  encounterId: string;
  facilityId: string;
  /** YYYY-MM-DD, where the person is listed. */
  day: string;
  /** Of a SHARE 1 for a hit and 0 for none, of a RATE and a LOAD 1, of a MEDIAN the value; null if it is still open. */
  value: number | null;
  /** Of a ping, who resolved or dismissed it. */
  ending?: 'byPeople' | 'bySystem' | 'open';
}

export interface PersonHistory {
  personId: string;
  timeZone: string;
  visits: readonly RuleVisit[];
  attempts: readonly Attempt[];
  holidays: Holidays;
  /** Milliseconds. */
  now: number;
}

type CasesOf = (person: PersonHistory) => Case[];

/** The spotlights that are counted from visits. */
export const CASES_OF_PERSON = {
  readmissions: ({ personId, timeZone, visits, now }) => {
    const { readmissions, indexStays } = inpatientStays(visits, timeZone);
    const followed = new Set([...readmissions.values()].map(({ triggerEncounterId }) => triggerEncounterId));
    const today = localDayOf(now, timeZone);
    return indexStays.flatMap(({ id, facilityId, dischargedAt }) => {
      if (dischargedAt === null) return [];
      // Early returns count only when the stays without one do: else a running month has too many.
      const isOpen = today - localDayOf(dischargedAt, timeZone) <= READMISSION_WITHIN_DAYS;
      const value = isOpen ? null : Number(followed.has(id));
      return caseOf(personId, id, facilityId, localDateOf(dischargedAt, timeZone), value);
    });
  },

  'admissions-and-ed-use': ({ personId, timeZone, visits, now }) => {
    const begun = visits.filter((visit) => hasHappened(visit) && (admissionOf(visit) ?? now) <= now);
    const { all } = acuteCare(begun, inpatientStays(visits, timeZone), emergencyVisits(begun, timeZone), timeZone);
    return all.flatMap(({ at, visits: [first] }) =>
      first && at <= now ? caseOf(personId, first.id, first.facilityId, localDateOf(at, timeZone), 1) : [],
    );
  },

  'length-of-stay': ({ personId, timeZone, visits }) => {
    const days = daysIn(timeZone);
    return visits.flatMap((visit) => {
      const { id, facilityId, dischargedAt } = visit;
      const from = admissionOf(visit);
      const isOver = hasHappened(visit) && isAcuteInpatient(visit) && visit.status === 'FINISHED';
      if (!isOver || from === null || dischargedAt === null || steppedDownFrom(visit, visits, days)) return [];
      const nights = localDayOf(dischargedAt, timeZone) - localDayOf(from, timeZone);
      return nights < 0 ? [] : caseOf(personId, id, facilityId, localDateOf(dischargedAt, timeZone), nights);
    });
  },

  'follow-up': ({ personId, timeZone, visits, attempts, holidays, now }) => {
    const today = localDateOf(now, timeZone);
    return visits.flatMap((visit) => {
      const { id, facilityId, dischargedAt, setting, disposition } = visit;
      if (!hasHappened(visit) || dischargedAt === null) return [];
      const day = localDateOf(dischargedAt, timeZone);
      const discharge: Discharge = { encounterId: id, setting, at: dischargedAt, day, disposition };
      if (notStartedBy(discharge) !== null) return [];
      const [contact] = followUpClocks(discharge, { attempts, holidays, today }, endOf(discharge, visits, timeZone));
      // Nothing is due any more.
      if (contact.state === 'ENDED') return [];
      const value = contact.dueOn >= today ? null : Number(contact.state === 'MET');
      return caseOf(personId, id, facilityId, day, value);
    });
  },
} as const satisfies Partial<Record<SpotlightName, CasesOf>>;

export type CountedFromVisits = keyof typeof CASES_OF_PERSON;

const caseOf = (
  personId: string,
  encounterId: string,
  facilityId: string,
  day: string,
  value: number | null,
): Case => ({
  personId,
  encounterId,
  facilityId,
  day,
  value,
});
