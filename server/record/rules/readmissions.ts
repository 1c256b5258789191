/**
 * Readmissions within 30 days, by two named definitions. ADT messages only allow an estimate, not an official CMS or NCQA measure, so
 * the pages must call the numbers an estimate.
 */
import { hasPlannedReadmission, isDeathDisposition } from '#contract/dispositions.ts';
import type { Setting } from '#contract/event-codes.ts';
import { localDayOf } from '#server/platform/calendar/time-zone.ts';
import { DAY } from './rule-clock.ts';
import { admissionOf, hasHappened, type RuleVisit } from './rule-visit.ts';

export interface Readmission {
  /** When the person was readmitted. */
  at: number;
  triggerEncounterId: string;
  triggerFacilityId: string;
  triggerSetting: Setting;
  dischargedAt: number;
  /** An elective admission, cancer treatment, or a return that the first discharge announced. A guess, so never shown as a fact. */
  isProbablyPlanned: boolean;
}

export interface ReadmissionDefinition {
  settings: ReadonlySet<Setting>;
  /** Whether two consecutive stays count as one. `gap`: calendar days from the discharge to the next admission. */
  isOneStay(gap: number, isSameFacility: boolean): boolean;
  /** Whether a stay can be followed by a readmission. `nights`: its length in calendar days. */
  isIndex(stay: { disposition: string | null; principal: string; nights: number }): boolean;
}

const READMISSION_WITHIN_DAYS = 30;
/** Longer than any rule looks back, so the calendar days needn't be counted. */
const LONG_AGO = (READMISSION_WITHIN_DAYS + 2) * DAY;

/** UB-04: discharged to another acute-care hospital, without and with a planned readmission. */
const TO_ACUTE_CARE = new Set(['02', '05', '43', '65', '66', '82', '85', '88', '93', '94']);
const AGAINST_ADVICE = '07';
/** ICD-10-CM chapters: cancer, mental disorders, pregnancy. */
const CANCER_OR_PSYCHIATRIC = /^[CF]/;
const PREGNANCY = /^O/;

export const READMISSION_DEFINITIONS = {
  /** Modeled on CMS's hospital-wide measure: inpatients; a transfer to another hospital by the next day is one stay. */
  CMS: {
    settings: new Set<Setting>(['INPATIENT']),
    isOneStay: (gap, isSameFacility) => gap <= (isSameFacility ? 0 : 1),
    isIndex: ({ disposition, principal }) =>
      disposition !== AGAINST_ADVICE &&
      !isDeathDisposition(disposition) &&
      !TO_ACUTE_CARE.has(disposition ?? '') &&
      !CANCER_OR_PSYCHIATRIC.test(principal),
  },
  /** Modeled on HEDIS Plan All-Cause Readmissions: observation counts; stays less than two calendar days apart are one. */
  PCR: {
    settings: new Set<Setting>(['INPATIENT', 'OBSERVATION']),
    isOneStay: (gap) => gap < 2,
    isIndex: ({ disposition, principal, nights }) =>
      nights > 0 && !isDeathDisposition(disposition) && !PREGNANCY.test(principal),
  },
} as const satisfies Record<string, ReadmissionDefinition>;

/** Stays that count as one. Intervals before it end at the first stay; intervals after it start at the last. */
interface Episode {
  first: RuleVisit;
  last: RuleVisit;
  from: number;
}

/** Returns readmissions by the id of the readmitting visit. Days are those of the time zone; `visits` may be in any order. */
export function readmissionsOf(
  visits: readonly RuleVisit[],
  timeZone: string,
  definition: ReadmissionDefinition = READMISSION_DEFINITIONS.CMS,
): ReadonlyMap<string, Readmission> {
  const stays = visits.filter((visit) => hasHappened(visit) && definition.settings.has(visit.setting));
  if (stays.length < 2) return NONE;
  const days = (from: number, to: number) =>
    to - from > LONG_AGO ? Number.POSITIVE_INFINITY : localDayOf(to, timeZone) - localDayOf(from, timeZone);
  const episodes = episodesOf(stays, definition, days);
  const found = new Map<string, Readmission>();
  for (const [place, episode] of episodes.entries()) {
    const index = latest(episodes.slice(0, place).filter((before) => isFollowed(before, episode, definition, days)));
    if (index) found.set(episode.first.id, readmission(index.last, episode));
  }
  return found;
}

const NONE: ReadonlyMap<string, Readmission> = new Map();
type Days = (from: number, to: number) => number;

function episodesOf(stays: RuleVisit[], definition: ReadmissionDefinition, days: Days): Episode[] {
  const known = stays.flatMap((visit) => {
    const from = admissionOf(visit);
    return from === null ? [] : { first: visit, last: visit, from };
  });
  known.sort((a, b) => a.from - b.from || compare(a.first.id, b.first.id));
  const episodes: Episode[] = [];
  for (const stay of known) {
    const before = episodes.at(-1);
    const isSame = before?.last.facilityId === stay.first.facilityId;
    const end = before?.last.dischargedAt ?? null;
    if (!before || end === null || !definition.isOneStay(days(end, stay.from), isSame)) episodes.push(stay);
    // Overlapping stays, such as after a late discharge message, end with the one that ends last.
    else if ((stay.last.dischargedAt ?? Number.POSITIVE_INFINITY) >= end) before.last = stay.first;
  }
  return episodes;
}

function isFollowed({ last, from }: Episode, next: Episode, definition: ReadmissionDefinition, days: Days): boolean {
  if (last.dischargedAt === null || last.dischargedAt > next.from) return false;
  if (days(last.dischargedAt, next.from) > READMISSION_WITHIN_DAYS) return false;
  const [principal = ''] = last.diagnosisCodes;
  return definition.isIndex({ disposition: last.disposition, principal, nights: days(from, last.dischargedAt) });
}

const endOf = ({ last }: Episode): number => last.dischargedAt ?? 0;
const latest = (episodes: Episode[]): Episode | undefined =>
  episodes.sort((a, b) => endOf(b) - endOf(a) || compare(a.last.id, b.last.id))[0];

const readmission = (index: RuleVisit, { first, from }: Episode): Readmission => ({
  at: from,
  triggerEncounterId: index.id,
  triggerFacilityId: index.facilityId,
  triggerSetting: index.setting,
  dischargedAt: index.dischargedAt ?? from,
  isProbablyPlanned: isElective(first) || hasPlannedReadmission(index.disposition),
});

/** PV1-4: elective in HL7 table 0007 and in UB-04. */
const ELECTIVE = new Set(['C', '3']);
/** ICD-10-CM: encounter for radiotherapy, chemotherapy or immunotherapy. */
const CANCER_TREATMENT = /^Z51\.?(0|11|12)$/;
const isElective = ({ admissionType, diagnosisCodes }: RuleVisit): boolean =>
  ELECTIVE.has(admissionType ?? '') || CANCER_TREATMENT.test(diagnosisCodes[0] ?? '');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
