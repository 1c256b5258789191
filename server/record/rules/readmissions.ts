/**
 * The one answer to "is this a readmission?" and "is this the same stay at another hospital?", for reasons of pings, flags, filters and
 * counts. Two named definitions; ADT messages only allow an estimate, not an official CMS or NCQA measure, so the pages must call the
 * numbers an estimate.
 */
import { isDeathDisposition, LEFT_EARLY_CODES } from '#contract/dispositions.ts';
import type { Setting } from '#contract/event-codes.ts';
import { isCancerTreatment, isLaborOrBirth, isPlanned } from './planned-stays.ts';
import { admissionOf, hasHappened, isAcuteInpatient, type RuleVisit, startOf } from './rule-visit.ts';
import { compare, daysBetween, isMovedOn, isSentOn, isTransferIn, steppedDownFrom } from './transfers.ts';

export interface Readmission {
  /** When the person was readmitted. */
  at: number;
  /** The stay before. */
  triggerEncounterId: string;
}

export interface ReadmissionDefinition {
  settings: ReadonlySet<Setting>;
  /** Whether two consecutive stays count as one. `gap`: calendar days from the discharge of `a` to the admission of `b`. */
  isOneStay(gap: number, a: RuleVisit, b: RuleVisit): boolean;
  /** Whether a stay that the patient left alive can be followed by a readmission. `nights`: its length in calendar days. */
  isIndex(stay: RuleVisit, nights: number): boolean;
}

export const READMISSION_WITHIN_DAYS = 30;
const AGAINST_ADVICE: ReadonlySet<string | null> = new Set(LEFT_EARLY_CODES);
/** ICD-10-CM chapters: cancer; mental disorders other than dementia and delirium (F01 to F09) and those due to alcohol and drugs (F10 to F19); pregnancy. */
const CANCER_OR_PSYCHIATRIC = /^(C|F[2-9])/i;
const PREGNANCY = /^O/i;

const principalOf = ({ diagnosisCodes }: RuleVisit): string => diagnosisCodes[0] ?? '';

/** ICD-10-CM chapters that name no condition: symptoms and signs, and factors such as a history. */
const NO_CONDITION = /^[RZ]/i;

/** Whether the principal diagnoses are of one category (three characters), or one of them names no condition. */
function mayBeSameCondition(a: RuleVisit, b: RuleVisit): boolean {
  const [one, other] = [principalOf(a), principalOf(b)].map((code) => code.slice(0, 3).toUpperCase());
  return !one || !other || NO_CONDITION.test(one) || NO_CONDITION.test(other) || one === other;
}

export const READMISSION_DEFINITIONS = {
  /**
   * Modeled on CMS's hospital-wide measure: inpatients; a transfer to another hospital by the next day is one stay, and so is a return to the same
   * hospital on the day of the discharge for the same condition.
   */
  CMS: {
    settings: new Set<Setting>(['INPATIENT']),
    isOneStay: (gap, a, b) =>
      a.facilityId === b.facilityId ? gap < 0 || (gap === 0 && mayBeSameCondition(a, b)) : gap <= 1,
    isIndex: (stay) =>
      !AGAINST_ADVICE.has(stay.disposition) &&
      !CANCER_OR_PSYCHIATRIC.test(principalOf(stay)) &&
      !isCancerTreatment(stay),
  },
  /** Modeled on HEDIS Plan All-Cause Readmissions: observation counts; stays less than two calendar days apart are one. */
  PCR: {
    settings: new Set<Setting>(['INPATIENT', 'OBSERVATION']),
    isOneStay: (gap) => gap < 2,
    isIndex: (stay, nights) => nights > 0 && !PREGNANCY.test(principalOf(stay)),
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
  /** The stays that a readmission may follow: the patient left alive, and the definition counts them. */
  readonly indexStays: readonly RuleVisit[];
  /** Whether two visits count as one stay: the patient was transferred, or came back to the same hospital on the same day. */
  isOneStay(a: string, b: string): boolean;
  /** Whether the visit is the bed that a stay before it announced, such as a swing bed or rehabilitation: no acute stay. */
  isStepDown(id: string): boolean;
}

/** `visits` may be in any order. */
export function inpatientStays(
  visits: readonly RuleVisit[],
  definition: ReadmissionDefinition = READMISSION_DEFINITIONS.CMS,
): InpatientStays {
  const inpatients = visits.filter((visit) => hasHappened(visit) && definition.settings.has(visit.setting));
  if (inpatients.length === 0) return NO_STAYS;
  const idsOf = (found: RuleVisit[]) => new Set(found.map(({ id }) => id));
  const stepDowns = idsOf(inpatients.filter((visit) => steppedDownFrom(visit, visits) !== null));
  const transfers = idsOf(inpatients.filter((visit) => isTransferIn(visit, visits)));
  const stays = inpatients.filter(({ id }) => !stepDowns.has(id));
  const episodes = episodesOf(stays, definition);
  const readmissions = new Map<string, Readmission>();
  for (const [place, episode] of episodes.entries()) {
    const { first } = episode;
    if (isLaborOrBirth(first) || isPlanned(first) || transfers.has(first.id)) continue;
    const before = episodes.slice(0, place).filter((each) => isFollowed(each, episode, definition));
    const index = latest(before);
    if (index) readmissions.set(first.id, { at: episode.from, triggerEncounterId: index.last.id });
  }
  return {
    readmissions,
    indexStays: episodes.filter((episode) => isIndex(episode, definition)).map(({ last }) => last),
    isOneStay: (a, b) => episodes.some(({ ids }) => ids.has(a) && ids.has(b)),
    isStepDown: (id) => stepDowns.has(id),
  };
}

const NO_STAYS: InpatientStays = {
  readmissions: new Map(),
  indexStays: [],
  isOneStay: () => false,
  isStepDown: () => false,
};

function episodesOf(stays: RuleVisit[], definition: ReadmissionDefinition): Episode[] {
  const known = stays.flatMap((visit) => {
    const from = admissionOf(visit);
    return from === null ? [] : { first: visit, last: visit, from, ids: new Set([visit.id]) };
  });
  known.sort((a, b) => a.from - b.from || compare(a.first.id, b.first.id));
  // A transfer may wait in the ED for more than a day before the admission.
  const isContinued = (last: RuleVisit, { first, from }: Episode, end: number) =>
    definition.isOneStay(daysBetween(end, last, from, first), last, first) || isSentOn(last, first);
  const episodes: Episode[] = [];
  for (const stay of known) {
    const before = episodes.at(-1);
    const end = before?.last.dischargedAt ?? null;
    if (!before || end === null || !isContinued(before.last, stay, end)) {
      episodes.push(stay);
      continue;
    }
    before.ids.add(stay.first.id);
    // Overlapping stays, such as after a late discharge message, end with the one that ends last.
    if ((stay.last.dischargedAt ?? Number.POSITIVE_INFINITY) >= end) before.last = stay.first;
  }
  return episodes;
}

function isFollowed(episode: Episode, next: Episode, definition: ReadmissionDefinition): boolean {
  const { dischargedAt } = episode.last;
  if (dischargedAt === null || dischargedAt > next.from) return false;
  return (
    daysBetween(dischargedAt, episode.last, next.from, next.first) <= READMISSION_WITHIN_DAYS &&
    isIndex(episode, definition)
  );
}

const isIndex = ({ first, last, from }: Episode, definition: ReadmissionDefinition): boolean =>
  last.dischargedAt !== null &&
  !isDeathDisposition(last.disposition) &&
  definition.isIndex(last, daysBetween(from, first, last.dischargedAt, last));

const endOf = ({ last }: Episode): number => last.dischargedAt ?? 0;
const latest = (episodes: Episode[]): Episode | undefined =>
  episodes.toSorted((a, b) => endOf(b) - endOf(a) || compare(a.last.id, b.last.id))[0];

/**
 * Returns the latest acute inpatient stay that the person left alive in the 30 days before this visit to the ED, under observation or as an
 * inpatient, and was not sent on from. An admission that is no readmission has one too, such as by the next day at another hospital, or after a
 * stay against advice, unless it was planned or a birth. The reasons of rows and the flags follow this one rule.
 */
export function stayBefore(visit: RuleVisit, visits: readonly RuleVisit[]): RuleVisit | null {
  const at = startOf(visit);
  if (at === null || (isAcuteInpatient(visit) && isExpected(visit, visits))) return null;
  let found: RuleVisit | null = null;
  for (const stay of visits) {
    const { dischargedAt } = stay;
    if (stay.id === visit.id || !hasHappened(stay) || !isAcuteInpatient(stay) || dischargedAt === null) continue;
    if (
      dischargedAt > at ||
      daysBetween(dischargedAt, stay, at, visit) > READMISSION_WITHIN_DAYS ||
      isDeathDisposition(stay.disposition)
    )
      continue;
    if (isSentOn(stay, visit) || steppedDownFrom(stay, visits) !== null) continue;
    const before = found?.dischargedAt ?? Number.NEGATIVE_INFINITY;
    if (dischargedAt > before || (dischargedAt === before && found && compare(stay.id, found.id) < 0)) found = stay;
  }
  return found;
}

const isExpected = (visit: RuleVisit, visits: readonly RuleVisit[]): boolean =>
  isPlanned(visit) || isLaborOrBirth(visit) || isContinued(visit, visits);

/** Whether an inpatient stay is the bed that a discharge announced, or the rest of a stay at another hospital. */
const isContinued = (visit: RuleVisit, visits: readonly RuleVisit[]): boolean =>
  steppedDownFrom(visit, visits) !== null ||
  isTransferIn(visit, visits) ||
  visits.some((stay) => stay.id !== visit.id && hasHappened(stay) && isAcuteInpatient(stay) && isMovedOn(stay, visit));
