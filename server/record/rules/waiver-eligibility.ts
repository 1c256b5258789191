/**
 * Whether a stay at a skilled nursing facility may have a waiver of Medicare's three-day rule (42 CFR 409.30): under the Shared Savings Program
 * (42 CFR 425.612(a)(1)) or the TEAM model (42 CFR 512.580). Messages prove few of the conditions; the others count once a user has confirmed them.
 */
import { counted } from '#contract/counted.ts';
import type { WaiverCondition, WaiverRule } from '#contract/waiver-conditions.ts';
import { CONFIRMABLE } from '#contract/waiver-conditions.ts';
import type { Eligibility } from '#contract/waivers.ts';
import { localDateOf, localDayOf } from '#server/platform/calendar/time-zone.ts';
import { usDay } from '#server/platform/calendar/us-dates.ts';
import { inpatientNights } from './inpatient-nights.ts';
import {
  admissionOf,
  hasHappened,
  isAcuteInpatient,
  isAtHospital,
  isInpatientStay,
  isOngoing,
  type RuleVisit,
  startOf,
} from './rule-visit.ts';

/** Nights as an inpatient with which Medicare pays for the stay without a waiver. */
const QUALIFYING_NIGHTS = 3;
/**
 * Days from the hospital to the nursing facility, under Medicare's rule (42 CFR 409.30(b)) as in a TEAM episode, and from one nursing facility to
 * the next (409.36(a)).
 */
const DAYS_AFTER_DISCHARGE = 30;
/** The first and the last day of the TEAM model. */
const TEAM_FROM = '2026-01-01';
const TEAM_TO = '2030-12-31';

const TEXTS: Readonly<Record<WaiverCondition, string>> = {
  SNF_STAY: 'The stay is at a skilled nursing facility',
  WAIVER_NEEDED: 'No hospital stay of three inpatient nights in the 30 days before',
  MEDICARE: 'Covered by Original Medicare, Parts A and B',
  ASSIGNED: 'Assigned to your ACO, or within 90 days after its assignment ended',
  NOT_RESIDENT: 'Does not live in a nursing facility or other long-term care',
  STABLE: 'Medically stable',
  NO_INPATIENT_CARE: 'Needs no inpatient evaluation or treatment',
  DIAGNOSIS_CONFIRMED: 'Certain and confirmed diagnosis',
  NOT_OUTPATIENT: "Skilled nursing or rehabilitation that can't be given as an outpatient",
  PHYSICIAN_APPROVED: 'Evaluated and approved by an ACO physician in the 3 days before admission',
  AFFILIATE: 'The facility is an affiliate of your ACO with 3 or more stars overall',
  EPISODE: 'The hospital stay was for a TEAM surgery, at a TEAM hospital',
  WITHIN_EPISODE: 'Admitted within 30 days after the hospital stay, between 2026 and 2030',
  STARS: 'The facility had 3 or more stars in 7 of the last 12 months (swing beds are exempt)',
};

const CONDITIONS: Readonly<Record<WaiverRule, readonly WaiverCondition[]>> = {
  MSSP: [
    'SNF_STAY',
    'WAIVER_NEEDED',
    'MEDICARE',
    'ASSIGNED',
    'NOT_RESIDENT',
    'STABLE',
    'NO_INPATIENT_CARE',
    'DIAGNOSIS_CONFIRMED',
    'NOT_OUTPATIENT',
    'PHYSICIAN_APPROVED',
    'AFFILIATE',
  ],
  TEAM: ['SNF_STAY', 'WAIVER_NEEDED', 'WITHIN_EPISODE', 'MEDICARE', 'EPISODE', 'STARS'],
};

export interface WaiverQuestion {
  stay: RuleVisit;
  /** All of the person's that the reader may see. */
  visits: readonly RuleVisit[];
  /** Returns the name of a visit's facility. */
  nameOf: (facilityId: string) => string;
  /** Of the nursing facility. */
  timeZone: string;
  /** Milliseconds. */
  now: number;
  rule: WaiverRule;
  confirmed: ReadonlySet<WaiverCondition>;
}

interface Finding {
  answer: 'met' | 'unmet' | 'unknown';
  basis: string | null;
}

/** Returns `eligible` only if every condition is met, and `not eligible` if one is unmet, with what each answer is based on. */
export function eligibilityOf(question: WaiverQuestion): Eligibility {
  const { rule, confirmed } = question;
  const conditions = CONDITIONS[rule].map((code) => {
    const found = findingOf(code, question);
    const canBeConfirmed = found.answer === 'unknown' && (CONFIRMABLE as readonly WaiverCondition[]).includes(code);
    const isConfirmed = canBeConfirmed && confirmed.has(code);
    return { code, text: TEXTS[code], ...found, ...(isConfirmed && { answer: 'met' as const }), canBeConfirmed };
  });
  const answers = new Set(conditions.map(({ answer }) => answer));
  const answer = answers.has('unmet') ? 'not eligible' : answers.has('unknown') ? 'unknown' : 'eligible';
  return { rule, answer, conditions };
}

/** Medicare covers at most this many days in a benefit period (42 CFR 409.61(b)), so a waiver doesn't matter after them. */
const COVERED_DAYS = 100;

/**
 * Whether the stay at a skilled nursing facility, planned or going on, has no qualifying hospital stay before it or its last return, as far as the
 * reader can see, within the days that Medicare may cover.
 */
export const needsWaiver = (question: Known): boolean => {
  const { stay, timeZone, now } = question;
  if (!isSnfStay(stay) || stay.status === 'FINISHED' || hasEnoughNights(question) || continuesCoverage(question))
    return false;
  const since = lastReturn(question) ?? admissionOf(stay) ?? now;
  return localDayOf(now, timeZone) - localDayOf(since, timeZone) < COVERED_DAYS;
};

/** When the resident last came back: from a leave, or from a hospital stay, which some facilities report no leave for. */
function lastReturn({ stay, visits, now }: Known): number | null {
  const from = admissionOf(stay);
  const isDuring = (at: number | null): at is number => at !== null && from !== null && at > from && at <= now;
  const stays = visits.filter((visit) => isHospitalStay(visit, stay, isInpatientStay) && isDuring(visit.dischargedAt));
  const ends = [...stay.leaves.map(({ to }) => to), ...stays.map(({ dischargedAt }) => dischargedAt)].filter(isDuring);
  return ends.length === 0 ? null : Math.max(...ends);
}

const isSnfStay = (stay: RuleVisit): boolean => isSkilled(stay) && stay.status !== 'CANCELLED';

function findingOf(code: WaiverCondition, question: WaiverQuestion): Finding {
  switch (code) {
    case 'SNF_STAY':
      return { answer: isSnfStay(question.stay) ? 'met' : 'unmet', basis: null };
    case 'WAIVER_NEEDED':
      return nightsBefore(question);
    case 'WITHIN_EPISODE':
      return withinEpisode(question);
    case 'NOT_RESIDENT':
      return { answer: 'unknown', basis: earlierStay(question) };
    default:
      return { answer: 'unknown', basis: null };
  }
}

type Facts = Omit<WaiverQuestion, 'rule' | 'confirmed'>;
/** What the rules need, without the names for people. */
type Known = Omit<Facts, 'nameOf'>;

const nightsIn = (stays: readonly RuleVisit[], { visits, now }: Known): (number | null)[] =>
  stays.map((stay) => inpatientNights(stay, visits, now));

const hasEnoughNights = (question: Known): boolean =>
  nightsIn(staysBefore(question, isInpatientStay), question).some((count) => (count ?? 0) >= QUALIFYING_NIGHTS);

/**
 * Whether the stay continues skilled nursing that Medicare may have covered, of an earlier stay that had a qualifying hospital stay before it or
 * continued another one: no new hospital stay is needed then (42 CFR 409.36(a)). `seen`: stays that were looked at, each once, however many follow one another.
 */
function continuesCoverage(question: Known, seen = new Set<string>()): boolean {
  const { stay, timeZone, now } = question;
  const from = localDayOf(admissionOf(stay) ?? now, timeZone);
  return residencesBefore(question, isSkilled).some((earlier) => {
    const mayBeCovered = from - localDayOf(admissionOf(earlier) ?? now, timeZone) < COVERED_DAYS;
    if (!mayBeCovered || seen.has(earlier.id)) return false;
    seen.add(earlier.id);
    const before = { ...question, stay: earlier };
    return hasEnoughNights(before) || continuesCoverage(before, seen);
  });
}

/**
 * A qualifying stay makes the waiver unnecessary. Without any known inpatient stay, one may have been at a hospital that sends nothing; and no message
 * says whether Medicare covered the skilled nursing that this stay continues.
 */
function nightsBefore(question: Facts): Finding {
  const stays = staysBefore(question, isInpatientStay);
  const others = [...observationBefore(question), ...skilledNursingBefore(question)];
  if (stays.length === 0) return { answer: 'unknown', basis: others.join(' ') || NO_STAY_KNOWN };
  const nights = nightsIn(stays, question);
  const known = nights.filter((count) => count !== null);
  const most = Math.max(0, ...known);
  const basis = [`${counted(most, 'inpatient night')} known.`, ...others].join(' ');
  if (most >= QUALIFYING_NIGHTS)
    return {
      answer: 'unmet',
      basis: `${most} inpatient nights are known, so the three-day rule is met. Other coverage conditions are not checked.`,
    };
  if (residencesBefore(question, isSkilled).length > 0) return { answer: 'unknown', basis };
  return known.length < nights.length
    ? { answer: 'unknown', basis: 'The length of a hospital stay before is unknown.' }
    : { answer: 'met', basis };
}

const NO_STAY_KNOWN = 'No hospital stay is known in the 30 days before.';

/** Returns a sentence about each observation stay before: its nights are not inpatient nights (42 CFR 409.30(a)(1)). */
function observationBefore(question: Facts): string[] {
  const { timeZone, nameOf } = question;
  return staysBefore(question, ({ setting }) => setting === 'OBSERVATION').map((stay) => {
    const days = [startOf(stay), stay.dischargedAt].map((at) => (at === null ? '' : usDay(localDateOf(at, timeZone))));
    return `Observation stay ${days.join('–')} at ${nameOf(stay.facilityId)}: 0 inpatient nights.`;
  });
}

/** Returns a sentence about the latest stay in skilled nursing that this one may continue. */
function skilledNursingBefore(question: Facts): string[] {
  const { timeZone, nameOf, now } = question;
  const endOf = ({ dischargedAt }: RuleVisit): number => dischargedAt ?? now;
  const [last] = residencesBefore(question, isSkilled).toSorted((a, b) => endOf(b) - endOf(a));
  if (!last) return [];
  const { dischargedAt, facilityId } = last;
  const until = dischargedAt === null ? '' : ` until ${usDay(localDateOf(dischargedAt, timeZone))}`;
  return [
    `Skilled nursing at ${nameOf(facilityId)}${until}. If Medicare covered it, a return within 30 days needs no new hospital stay.`,
  ];
}

/** The surgeries of the model are done in acute-care hospitals (42 CFR 512.505), and the 30 days begin with the discharge from there. */
function withinEpisode(question: Facts): Finding {
  const { timeZone } = question;
  const last = staysBefore(question, isAcuteInpatient).at(-1);
  const admitted = last && admissionOf(last);
  if (!last || admitted == null)
    return { answer: 'unknown', basis: observationBefore(question).join(' ') || NO_STAY_KNOWN };
  const day = localDateOf(admitted, timeZone);
  return { answer: day >= TEAM_FROM && day <= TEAM_TO ? 'met' : 'unmet', basis: `Hospital stay from ${usDay(day)}.` };
}

/** A stay of this kind at a hospital that has happened. */
const isHospitalStay = (visit: RuleVisit, stay: RuleVisit, isOfKind: (visit: RuleVisit) => boolean): boolean =>
  visit.id !== stay.id && isAtHospital(visit) && hasHappened(visit) && isOfKind(visit);

/**
 * Returns the stays of a kind, such as inpatient, that ended in the 30 days before the stay, or during it, since a resident who comes back is covered by the nights
 * there (42 CFR 409.30(b)); or that go on while it is planned. The latest last.
 */
function staysBefore({ stay, visits, timeZone, now }: Known, isOfKind: (visit: RuleVisit) => boolean): RuleVisit[] {
  const from = localDayOf(admissionOf(stay) ?? now, timeZone);
  const isBefore = (visit: RuleVisit): boolean => {
    if (visit.dischargedAt === null) return isOngoing(visit) && stay.status === 'PLANNED';
    const days = from - localDayOf(visit.dischargedAt, timeZone);
    return days <= DAYS_AFTER_DISCHARGE && visit.dischargedAt <= Math.min(stay.dischargedAt ?? now, now);
  };
  return visits
    .filter((visit) => isHospitalStay(visit, stay, isOfKind))
    .filter(isBefore)
    .toSorted((a, b) => (a.dischargedAt ?? now) - (b.dischargedAt ?? now));
}

/** Returns the stays of a kind, such as skilled nursing, that began on an earlier day and ended in the 30 days before the stay, or that go on. */
function residencesBefore({ stay, visits, timeZone, now }: Known, isOfKind: (visit: RuleVisit) => boolean) {
  const from = localDayOf(admissionOf(stay) ?? now, timeZone);
  const isRecent = ({ dischargedAt }: RuleVisit): boolean =>
    dischargedAt === null || from - localDayOf(dischargedAt, timeZone) <= DAYS_AFTER_DISCHARGE;
  return visits.filter(
    (visit) =>
      visit.id !== stay.id &&
      isOfKind(visit) &&
      hasHappened(visit) &&
      localDayOf(admissionOf(visit) ?? now, timeZone) < from &&
      isRecent(visit),
  );
}

const isSkilled = ({ setting }: RuleVisit): boolean => setting === 'SNF';

/** Who was at a nursing facility before may live there: a user has to know. */
function earlierStay(question: Facts): string | null {
  const earlier = residencesBefore(question, (visit) => isSkilled(visit) || visit.setting === 'ASSISTED_LIVING');
  return earlier.length > 0
    ? 'At a nursing or assisted-living facility in the 30 days before. Check if they live there.'
    : null;
}
