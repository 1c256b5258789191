/**
 * Readmissions within 30 days by two named definitions (domain rules, section 4), from what ADT messages tell: an estimate, not a measure
 * of CMS or NCQA, and to be called so wherever a number of them is shown.
 */
import type { Setting } from '#contract/event-codes.ts';
import { localDayOf } from '#server/platform/calendar/time-zone.ts';
import { admissionOf, hasHappened, type RuleVisit } from './rule-visit.ts';
import { DAY } from './windows.ts';

export interface Readmission {
  /** When the person was admitted again. */
  at: number;
  triggerEncounterId: string;
  triggerFacilityId: string;
  triggerSetting: Setting;
  dischargedAt: number;
  /** An elective admission, treatment of a cancer, or announced by the first discharge: a guess, so that nobody is told it as a fact. */
  isProbablyPlanned: boolean;
}

export interface ReadmissionDefinition {
  settings: ReadonlySet<Setting>;
  /** Whether two stays, one after the other, are one: `gap` in calendar days from the discharge to the next admission. */
  isOneStay(gap: number, isSameFacility: boolean): boolean;
  /** Whether a readmission may follow a stay. `nights` counts calendar days. */
  isIndex(stay: { disposition: string | null; principal: string; nights: number }): boolean;
}

export const READMISSION_WITHIN_DAYS = 30;
/** More than any rule asks for: no calendar is needed to see it. */
const LONG_AGO = (READMISSION_WITHIN_DAYS + 2) * DAY;

const DIED = new Set(['20', '40', '41', '42']);
/** UB-04: to another hospital that gives acute care, as they are and with a planned readmission. */
const TO_ACUTE_CARE = new Set(['02', '05', '43', '65', '66', '82', '85', '88', '93', '94']);
const AGAINST_ADVICE = '07';
/** ICD-10-CM chapters: cancer, mental disorders, pregnancy. */
const CANCER_OR_PSYCHIATRIC = /^[CF]/;
const PREGNANCY = /^O/;

export const READMISSION_DEFINITIONS = {
  /** In the style of CMS's hospital-wide measure: inpatients; a transfer to another hospital by the next day is one stay. */
  CMS: {
    settings: new Set<Setting>(['INPATIENT']),
    isOneStay: (gap, isSameFacility) => gap <= (isSameFacility ? 0 : 1),
    isIndex: ({ disposition, principal }) =>
      disposition !== AGAINST_ADVICE &&
      !DIED.has(disposition ?? '') &&
      !TO_ACUTE_CARE.has(disposition ?? '') &&
      !CANCER_OR_PSYCHIATRIC.test(principal),
  },
  /** In the style of HEDIS Plan All-Cause Readmissions: observation counts; stays less than two calendar days apart are one. */
  PCR: {
    settings: new Set<Setting>(['INPATIENT', 'OBSERVATION']),
    isOneStay: (gap) => gap < 2,
    isIndex: ({ disposition, principal, nights }) =>
      nights > 0 && !DIED.has(disposition ?? '') && !PREGNANCY.test(principal),
  },
} as const satisfies Record<string, ReadmissionDefinition>;

/** Stays that count as one: what follows counts from the last, what went before to the first. */
interface Episode {
  first: RuleVisit;
  last: RuleVisit;
  from: number;
}

/** By the id of the visit that is the readmission. Days are those of the zone; visits may come in any order. */
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
    // Stays that overlap, as with a late discharge message, end with the one that ends last.
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
  isProbablyPlanned: isElective(first) || announcesReadmission(index.disposition),
});

/** PV1-4: elective in HL7 table 0007 and in UB-04. */
const ELECTIVE = new Set(['C', '3']);
/** Encounter for radiotherapy, chemotherapy, immunotherapy. */
const CANCER_TREATMENT = /^Z51\.?(0|11|12)$/;
const isElective = ({ admissionType, diagnosisCodes }: RuleVisit): boolean =>
  ELECTIVE.has(admissionType ?? '') || CANCER_TREATMENT.test(diagnosisCodes[0] ?? '');
/** UB-04 discharge status 81 to 95. */
const announcesReadmission = (disposition: string | null): boolean => /^(8[1-9]|9[0-5])$/.test(disposition ?? '');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
