/**
 * Which HL7-based programs a person is in, from the visits that the reader may see (docs/decisions/0095). Pure. A discharge that meets a
 * program's conditions enrolls the person for its validity period, of which the day of discharge is the first day, as in Medicare's
 * bundled payments (42 CFR 510.210(a)). A later discharge that meets them starts the period again. A death
 * ends all.
 */
import { isDeathDisposition } from '#contract/dispositions.ts';
import { DAY } from '#contract/durations.ts';
import { DESTINATION_CODES, type ProgramConditions } from '#contract/hl7-program-words.ts';
import { STATE_LABELS } from '#contract/states.ts';
import type { Payer } from '#server/intake/hl7/adt-facts.ts';
import { instantOfLocal } from '#server/platform/calendar/time-zone.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { ADMITTED_HERE, STILL_PATIENT } from '#server/record/fold/visit-state.ts';
import { RuleClock } from './rule-clock.ts';
import { deathOf, type RuleVisit } from './rule-visit.ts';

/** A program of the reader's organization. */
export interface Program extends ProgramConditions {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly admittingFacilityName: string | null;
}

/** A visit with what programs ask for besides. */
export interface ProgramStay {
  readonly visit: RuleVisit;
  /** The day of the discharge at the facility, YYYY-MM-DD; null without a discharge. */
  readonly dischargedOn: string | null;
  /** Of the facility. */
  readonly timeZone: string;
  /** As sent. */
  readonly drg: string | null;
  /** The first payer. */
  readonly payer: Pick<Payer, 'company' | 'plan' | 'code'> | null;
}

export interface Enrollment {
  readonly program: Program;
  readonly stay: ProgramStay;
  /** The day of the discharge, and the last day, YYYY-MM-DD at the facility. */
  readonly validFrom: string;
  readonly validTo: string;
}

export interface Enrollments {
  /** In the order of the programs. */
  readonly now: readonly Enrollment[];
  /** When time alone will change them, in milliseconds; null for never. */
  readonly changesAt: number | null;
}

const NONE: Enrollments = Object.freeze({ now: [], changesAt: null });

/**
 * Returns the enrollments at `now` (milliseconds). `stays`: all visits that the reader may see, in any order. `hasDied`: a facility of theirs
 * has reported the person as dead, with or without an event of a visit.
 */
export function enrollments(
  stays: readonly ProgramStay[],
  programs: readonly Program[],
  { now, hasDied }: { now: number; hasDied: boolean },
): Enrollments {
  if (programs.length === 0 || stays.length === 0) return NONE;
  if (hasDied || deathOf(stays.map(({ visit }) => visit)) !== null) return NONE;
  const clock = new RuleClock(now);
  const found = programs.flatMap((program) => {
    let latest: Enrollment | null = null;
    for (const stay of stays) {
      const enrollment = enrollmentBy(stay, program);
      if (enrollment && holds(enrollment, clock) && (latest === null || isLater(enrollment, latest)))
        latest = enrollment;
    }
    return latest ?? [];
  });
  return { now: found, changesAt: clock.changesAt };
}

/** Returns the enrollment that the discharge begins, also if it is over by now; null if the stay does not meet the conditions. */
export function enrollmentBy(stay: ProgramStay, program: Program): Enrollment | null {
  const { dischargedOn } = stay;
  if (dischargedOn === null || !isDischargedAlive(stay) || !meets(stay, program)) return null;
  return { program, stay, validFrom: dischargedOn, validTo: dayAfter(dischargedOn, program.validityPeriod - 1) };
}

/** A sender's clock may run ahead: a discharge counts once its time has come. The last day ends at the facility's midnight. */
function holds({ validTo, stay: { visit, timeZone } }: Enrollment, clock: RuleClock): boolean {
  const end = instantOfLocal(Date.parse(dayAfter(validTo, 1)), timeZone);
  return clock.isPast(visit.dischargedAt as number) && !clock.isPast(end);
}

function isLater(a: Enrollment, b: Enrollment): boolean {
  if (a.validTo !== b.validTo) return a.validTo > b.validTo;
  const [at, other] = [a.stay.visit.dischargedAt as number, b.stay.visit.dischargedAt as number];
  return at === other ? BigInt(a.stay.visit.id) > BigInt(b.stay.visit.id) : at > other;
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** Whether the patient left. Retracted and planned visits never did, nor did someone who became an inpatient there. */
export function isDischargedAlive({ visit, dischargedOn }: ProgramStay): boolean {
  const { status, disposition, dischargedAt, diedAt } = visit;
  if (status !== 'FINISHED' || dischargedAt === null || dischargedOn === null) return false;
  if (disposition === ADMITTED_HERE || disposition === STILL_PATIENT || isDeathDisposition(disposition)) return false;
  return diedAt === null || diedAt > dischargedAt;
}

function meets({ visit, drg, payer }: ProgramStay, program: Program): boolean {
  const { admittingFacilityId, admittingFacilityType, diagnosesDefinition, drgCodes, dischargeSetting } = program;
  if (admittingFacilityId !== null && visit.facilityId !== admittingFacilityId) return false;
  if (admittingFacilityType !== null && visit.facilityType !== admittingFacilityType) return false;
  if (dischargeSetting !== null && visit.setting !== dischargeSetting) return false;
  const { dischargedTo } = program;
  if (dischargedTo !== null && !DESTINATION_CODES[dischargedTo].includes(visit.disposition ?? '')) return false;
  if (drgCodes.length > 0 && !drgCodes.includes(drgCodeOf(drg) ?? '')) return false;
  if (diagnosesDefinition !== null && !hasDiagnosis(visit.diagnosisCodes, diagnosesDefinition)) return false;
  return program.payer === null || isPayer(payer, program.payer);
}

/** Returns the DRG's three digits; null for anything else. Senders write '291', '0291', '64' for 064, and 'MS291'. */
export function drgCodeOf(sent: string | null): string | null {
  const digits = /^(?:MS-?(?:DRG)?)?[ -]?0?(\d{1,3})$/i.exec(sent?.trim() ?? '')?.[1];
  return digits === undefined ? null : digits.padStart(3, '0');
}

const bareCode = (code: string): string => code.replace('.', '').trim().toUpperCase();

/** `diagnoses`: the principal one first. */
function hasDiagnosis(
  diagnoses: readonly string[],
  { codes, principalOnly }: NonNullable<ProgramConditions['diagnosesDefinition']>,
): boolean {
  const beginnings = codes.map(bareCode);
  const counted = principalOnly ? diagnoses.slice(0, 1) : diagnoses;
  return counted.some((code) => beginnings.some((beginning) => bareCode(code).startsWith(beginning)));
}

/** How a Medicare Advantage plan is told from Medicare itself, which pays for bundles (42 CFR 510.205(a)) and accountable care. */
const ADVANTAGE = /\b(advantage|adv|hmo|ppo|pffs|part c)\b/;

/**
 * Words of payers that are Medicare itself: its parts and kinds, its contractors (CMS, "Who are the MACs"), its states. MA is not among them, because
 * it is Medicare Advantage more often than Massachusetts.
 */
const ITSELF = new Set([
  ...'medicare part parts a b ab and of the original traditional standard regular basic straight federal cms us usa government'.split(
    ' ',
  ),
  ...'ffs fee for service railroad rr rrb retirement board inpatient outpatient ip op hospital medical insurance primary secondary'.split(
    ' ',
  ),
  ...'mac ngs novitas palmetto gba noridian wps cgs fcso'.split(' '),
  ...Object.keys(STATE_LABELS).flatMap((state) => (state === 'MA' ? [] : state.toLowerCase())),
]);
const NUMBER = /^\d+$/;

/**
 * Whether all words of `wanted` are in the payer's name, plan or code. 'Medicare' means Medicare itself: with a word in the name or plan that was not asked for
 * and doesn't belong to it, such as an insurer's name, the payer is a private plan (docs/decisions/0120).
 */
export function isPayer(payer: ProgramStay['payer'], wanted: string): boolean {
  if (payer === null) return false;
  const name = sortKey([payer.company, payer.plan, payer.code].filter(Boolean).join(' '));
  const asked = sortKey(wanted);
  const wantedWords = new Set(asked.split(' '));
  if (wantedWords.has('medicare') && !ADVANTAGE.test(asked)) {
    const named = sortKey([payer.company, payer.plan].filter(Boolean).join(' ')).split(' ');
    const isForeign = (word: string) => !wantedWords.has(word) && !ITSELF.has(word) && !NUMBER.test(word);
    if (ADVANTAGE.test(name) || named.some(isForeign)) return false;
  }
  const words = new Set(name.split(' '));
  return asked !== '' && [...wantedWords].every((word) => words.has(word));
}
