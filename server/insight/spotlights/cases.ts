/** What a spotlight counts, from the visits of one person. Pure; the rules are those of the lists and flags. */
import type { SpotlightName } from '#contract/spotlights.ts';
import type { Holidays } from '#server/platform/calendar/business-days.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { acuteCare } from '#server/record/rules/acute-care.ts';
import { type Attempt, type Discharge, endOf, followUpClocks, notStartedBy } from '#server/record/rules/follow-up.ts';
import {
  inpatientStays,
  READMISSION_DEFINITIONS,
  READMISSION_WITHIN_DAYS,
  type ReadmissionDefinition,
} from '#server/record/rules/readmissions.ts';
import { admissionOf, hasHappened, isAcuteInpatient, type RuleVisit } from '#server/record/rules/rule-visit.ts';
import { daysBetween, emergencyVisits, steppedDownFrom } from '#server/record/rules/transfers.ts';

/** Something that is counted, such as a discharge. */
export interface Case {
  personId: string;
  encounterId: string;
  facilityId: string;
  /** YYYY-MM-DD: of a visit at its facility, of a ping where the person is listed. */
  day: string;
  /** Of a SHARE 1 for a hit and 0 for none, of a RATE and a LOAD 1, of a MEDIAN the value; null if it is still open. */
  value: number | null;
  /** Of a ping, who resolved or dismissed it. */
  ending?: 'byPeople' | 'bySystem' | 'open';
}

export interface PersonHistory {
  personId: string;
  /** Where the person is listed: the days of attempts are counted there. */
  timeZone: string;
  visits: readonly RuleVisit[];
  attempts: readonly Attempt[];
  holidays: Holidays;
  /** Returns the length of a stay, as lists and exports show it; null if it is not known. */
  nightsOf: (visitId: string) => number | null;
  /** Milliseconds. */
  now: number;
}

type CasesOf = (person: PersonHistory) => Case[];

/** The spotlights that are counted from visits. */
export const CASES_OF_PERSON = {
  readmissions: (person) => dischargesOf(person, READMISSION_DEFINITIONS.CMS),
  'plan-readmissions': (person) => dischargesOf(person, READMISSION_DEFINITIONS.PCR),

  'admissions-and-ed-use': ({ personId, visits, now }) => {
    const begun = visits.filter((visit) => hasHappened(visit) && (admissionOf(visit) ?? now) <= now);
    const { all } = acuteCare(begun, inpatientStays(visits), emergencyVisits(begun));
    return all.flatMap(({ at, visits: [first] }) => (first && at <= now ? caseOf(personId, first, at, 1) : []));
  },

  'length-of-stay': ({ personId, visits, nightsOf }) =>
    visits.flatMap((visit) => {
      const { id, dischargedAt } = visit;
      const isOver = hasHappened(visit) && isAcuteInpatient(visit) && visit.status === 'FINISHED';
      const nights = nightsOf(id);
      if (!isOver || nights === null || dischargedAt === null || steppedDownFrom(visit, visits)) return [];
      return caseOf(personId, visit, dischargedAt, nights);
    }),

  'follow-up': ({ personId, timeZone, visits, attempts, holidays, now }) => {
    const today = localDateOf(now, timeZone);
    return visits.flatMap((visit) => {
      const { id, dischargedAt, setting, disposition } = visit;
      if (!hasHappened(visit) || dischargedAt === null) return [];
      const day = localDateOf(dischargedAt, visit.timeZone);
      const discharge: Discharge = { encounterId: id, setting, at: dischargedAt, day, disposition };
      if (notStartedBy(discharge, visits) !== null) return [];
      const end = endOf(discharge, visits, timeZone);
      const [contact] = followUpClocks(discharge, { attempts, holidays, today }, end);
      // Whether the patient was reached before doesn't matter: else only the good outcomes of such patients counted.
      if (end !== null && end.day <= contact.dueOn) return [];
      return caseOf(personId, visit, dischargedAt, contact.dueOn >= today ? null : Number(contact.state === 'MET'));
    });
  },
} as const satisfies Partial<Record<SpotlightName, CasesOf>>;

export type CountedFromVisits = keyof typeof CASES_OF_PERSON;

/** Returns the discharges that a readmission could follow. */
function dischargesOf({ personId, visits, now }: PersonHistory, definition: ReadmissionDefinition): Case[] {
  const { readmissions, indexStays } = inpatientStays(visits, definition);
  const followed = new Set([...readmissions.values()].map(({ triggerEncounterId }) => triggerEncounterId));
  return indexStays.flatMap((stay) => {
    const { id, dischargedAt } = stay;
    if (dischargedAt === null) return [];
    // Early returns count only when the stays without one do: else a running month has too many.
    const isOpen = daysBetween(dischargedAt, stay, now, stay) <= READMISSION_WITHIN_DAYS;
    return caseOf(personId, stay, dischargedAt, isOpen ? null : Number(followed.has(id)));
  });
}

/** A case of the day of the instant at the visit's facility. */
const caseOf = (personId: string, { id, facilityId, timeZone }: RuleVisit, at: number, value: number | null): Case => ({
  personId,
  encounterId: id,
  facilityId,
  day: localDateOf(at, timeZone),
  value,
});
