/**
 * The one answer to "is this a readmission?" and "is this the same stay at another hospital?", for reasons of pings, flags, filters and
 * counts. Two named definitions; ADT messages only allow an estimate, not an official CMS or NCQA measure, so the pages must call the
 * numbers an estimate.
 */
import { hasPlannedReadmission, isDeathDisposition, isFromHospital } from '#contract/dispositions.ts';
import type { Setting } from '#contract/event-codes.ts';
import { localDayOf } from '#server/platform/calendar/time-zone.ts';
import { isElective, isLaborOrBirth } from './planned-stays.ts';
import { DAY } from './rule-clock.ts';
import { admissionOf, hasHappened, isAcuteInpatient, type RuleVisit, startOf } from './rule-visit.ts';

export interface Readmission {
  /** When the person was readmitted. */
  at: number;
  triggerEncounterId: string;
  triggerFacilityId: string;
  triggerSetting: Setting;
  dischargedAt: number;
  /** Which admission this is, with the stays that ended in the 30 days before: 2 for the second. */
  ordinal: number;
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
  ids: Set<string>;
}

export interface InpatientStays {
  /** By the id of the readmitting visit. Planned stays, labor and births, and transfers are not among them. */
  readonly readmissions: ReadonlyMap<string, Readmission>;
  /** Whether two visits count as one stay: the patient was transferred, or came back to the same hospital on the same day. */
  isOneStay(a: string, b: string): boolean;
}

/** Days are those of the time zone; `visits` may be in any order. */
export function inpatientStays(
  visits: readonly RuleVisit[],
  timeZone: string,
  definition: ReadmissionDefinition = READMISSION_DEFINITIONS.CMS,
): InpatientStays {
  const stays = visits.filter((visit) => hasHappened(visit) && definition.settings.has(visit.setting));
  if (stays.length < 2) return NO_STAYS;
  const days = daysIn(timeZone);
  const episodes = episodesOf(stays, definition, days);
  const readmissions = new Map<string, Readmission>();
  for (const [place, episode] of episodes.entries()) {
    if (isLaborOrBirth(episode.first) || isElective(episode.first) || isFromHospital(episode.first.admitSource))
      continue;
    const before = episodes.slice(0, place).filter((each) => isFollowed(each, episode, definition, days));
    const index = latest(before);
    if (!index || hasPlannedReadmission(index.last.disposition)) continue;
    readmissions.set(episode.first.id, readmission(index.last, episode, before.length + 1));
  }
  return { readmissions, isOneStay: (a, b) => episodes.some(({ ids }) => ids.has(a) && ids.has(b)) };
}

const NO_STAYS: InpatientStays = { readmissions: new Map(), isOneStay: () => false };
type Days = (from: number, to: number) => number;

const daysIn =
  (timeZone: string): Days =>
  (from, to) =>
    to - from > LONG_AGO ? Number.POSITIVE_INFINITY : localDayOf(to, timeZone) - localDayOf(from, timeZone);

function episodesOf(stays: RuleVisit[], definition: ReadmissionDefinition, days: Days): Episode[] {
  const known = stays.flatMap((visit) => {
    const from = admissionOf(visit);
    return from === null ? [] : { first: visit, last: visit, from, ids: new Set([visit.id]) };
  });
  known.sort((a, b) => a.from - b.from || compare(a.first.id, b.first.id));
  const episodes: Episode[] = [];
  for (const stay of known) {
    const before = episodes.at(-1);
    const isSame = before?.last.facilityId === stay.first.facilityId;
    const end = before?.last.dischargedAt ?? null;
    if (!before || end === null || !definition.isOneStay(days(end, stay.from), isSame)) {
      episodes.push(stay);
      continue;
    }
    before.ids.add(stay.first.id);
    // Overlapping stays, such as after a late discharge message, end with the one that ends last.
    if ((stay.last.dischargedAt ?? Number.POSITIVE_INFINITY) >= end) before.last = stay.first;
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
  episodes.toSorted((a, b) => endOf(b) - endOf(a) || compare(a.last.id, b.last.id))[0];

const readmission = (index: RuleVisit, { from }: Episode, ordinal: number): Readmission => ({
  at: from,
  triggerEncounterId: index.id,
  triggerFacilityId: index.facilityId,
  triggerSetting: index.setting,
  dischargedAt: index.dischargedAt ?? from,
  ordinal,
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether the patient was sent on to this visit from that stay: by the admission source, or by the disposition and the next day. */
export function isSentOn(stay: RuleVisit, visit: RuleVisit, timeZone: string): boolean {
  const at = startOf(visit);
  if (stay.dischargedAt === null || at === null) return false;
  if (isFromHospital(visit.admitSource)) return true;
  return TO_ACUTE_CARE.has(stay.disposition ?? '') && daysIn(timeZone)(stay.dischargedAt, at) <= 1;
}

/** Whether the person, now in the ED or under observation, left an acute inpatient stay alive in the 30 days before, and was not sent on from it. */
export function isBackAfterStay(visit: RuleVisit, visits: readonly RuleVisit[], timeZone: string): boolean {
  const at = startOf(visit);
  if (at === null) return false;
  const days = daysIn(timeZone);
  return visits.some(
    (stay) =>
      stay.id !== visit.id &&
      hasHappened(stay) &&
      isAcuteInpatient(stay) &&
      stay.dischargedAt !== null &&
      stay.dischargedAt <= at &&
      days(stay.dischargedAt, at) <= READMISSION_WITHIN_DAYS &&
      !isDeathDisposition(stay.disposition) &&
      !isSentOn(stay, visit, timeZone),
  );
}
