/** Reads PID, and the patient's health plan memberships from IN1 (HL7 v2.5.1, 3.4.2 and 6.5.6). */

import type { FeedSettings } from '#contract/feed-settings.ts';
import type { Identifier, PatientFacts, PersonName } from './adt-facts.ts';
import { readAddress, readTelecoms } from './contact-facts.ts';
import { ASK_SENDER, isDeleted, momentOf, type ReadingContext, textOf, type Update, valueOf } from './field-values.ts';
import {
  distinct,
  isMemberId,
  isPlaceholder,
  isSocialSecurityNumber,
  medicareIdOf,
  readIdentifiers,
  readMemberIds,
  recordNumbersAmong,
  ssnLast4,
} from './identifiers.ts';
import type { Segment } from './message.ts';
import { readBirthDate } from './time.ts';
import type { VisitSegments } from './visit-facts.ts';

/** What a PID says, and every number in it that can be the record number; the first is the patient's. */
export interface ReadPatient {
  patient: PatientFacts;
  recordNumbers: readonly Identifier[];
}

/** Returns the patient of a PID segment at `facility`, or the reason why there is none. */
export function readPatient(
  { pid, ssns, in1 }: Pick<VisitSegments, 'pid' | 'ssns' | 'in1'>,
  facility: string,
  settings: FeedSettings,
  context: ReadingContext,
): ReadPatient | { reason: string } {
  const [list, external, alternate] = [3, 2, 4].map((field) => readIdentifiers(pid, field)) as [
    Identifier[],
    Identifier[],
    Identifier[],
  ];
  const usable = (identifiers: Identifier[]) => identifiers.filter((id) => !isSocialSecurityNumber(id, ssns));
  const recordNumbers = [list, external]
    .map((identifiers) => usable(identifiers).filter((id) => !isPlaceholder(id)))
    .map((identifiers) => recordNumbersAmong(identifiers, settings.recordNumber, facility))
    .find(({ length }) => length > 0);
  if (recordNumbers?.[0] === undefined) return { reason: reasonWithoutRecord(list) };
  const identifiers = distinct(usable([...list, ...external, ...alternate]));
  const patient = {
    ...recordOf(recordNumbers[0]),
    identifiers,
    ...readNames(pid),
    birthDate: readBirth(pid, context),
    sex: readSex(pid, context),
    address: readAddress(pid),
    ...readTelecoms(pid),
    ssnLast4: readSsn(pid, list),
    ...readMemberships(identifiers, in1, ssns),
    ...readDeath(pid, context),
  };
  return { patient, recordNumbers };
}

function recordOf({ value, authority }: Identifier): Pick<PatientFacts, 'recordNumber' | 'recordAuthority'> {
  return { recordNumber: value, ...(authority !== null && { recordAuthority: authority }) };
}

/** Returns the patient under another of their record numbers. */
export function withRecord(patient: PatientFacts, record: Identifier): PatientFacts {
  const { recordAuthority: _, ...others } = patient;
  return { ...others, ...recordOf(record) };
}

function reasonWithoutRecord(list: readonly Identifier[]): string {
  return list.length === 0
    ? `PID-3 is empty, so the patient is unknown. ${ASK_SENDER}`
    : "PID-3 has no identifier that can be a record number. Check recordNumber in the feed's settings, then replay the message.";
}

/** Types of names (HL7 table 0200) that a person has or had besides the present one: alias, at birth, maiden, no longer to be used. */
const FORMER = /^(A|B|M|NOUSE)$/;
/** Nicknames and pseudonyms. */
const NOT_REAL = /^[NS]$/;
const MOST_FORMER = 10;

/**
 * Chooses the legal name (XPN.7 L), else the first one that is neither former nor a nickname or pseudonym. A name without a given name is
 * chosen only if none of these has one: senders mark a family name alone as legal, next to the whole name for display (D).
 */
function readNames(pid: Segment): Pick<PatientFacts, 'name' | 'formerFamilies'> {
  if (isDeleted(pid, 5)) return { name: null, formerFamilies: null };
  const repetitions = [...pid.repetitions(5).keys()];
  const typeOf = (repetition: number) => (textOf(pid, 5, 7, repetition) ?? '').toUpperCase();
  const filled = repetitions.filter((r) => namePart(pid, 1, r) !== '' || namePart(pid, 2, r) !== '');
  const present = filled.filter((r) => !FORMER.test(typeOf(r)) && !NOT_REAL.test(typeOf(r)));
  const legalFirst = [...present.filter((r) => typeOf(r) === 'L'), ...present.filter((r) => typeOf(r) !== 'L')];
  const chosen = legalFirst.find((r) => namePart(pid, 2, r) !== '') ?? legalFirst[0] ?? filled[0];
  const former = repetitions.filter((r) => r !== chosen && FORMER.test(typeOf(r)));
  const name = chosen === undefined ? undefined : nameOf(pid, chosen);
  return { name, formerFamilies: formerFamiliesOf(pid, former, name?.family ?? '') };
}

/** Returns the family names of the repetitions, without the present one: most aliases differ by the given name. */
function formerFamiliesOf(pid: Segment, repetitions: readonly number[], present: string): Update<string[]> {
  const families = new Set(repetitions.map((r) => namePart(pid, 1, r)));
  const former = [...families].filter((family) => family !== '' && family.toUpperCase() !== present.toUpperCase());
  if (former.length > 0) return former.slice(0, MOST_FORMER);
  return repetitions.some((r) => textOf(pid, 5, 1, r) === null) ? null : undefined;
}

function nameOf(pid: Segment, chosen: number): PersonName {
  return {
    family: namePart(pid, 1, chosen),
    given: namePart(pid, 2, chosen),
    middle: namePart(pid, 3, chosen) || null,
    suffix: namePart(pid, 4, chosen) || null,
  };
}

function namePart(pid: Segment, component: number, repetition: number): string {
  const text = valueOf(pid.subcomponent(5, component, 1, repetition));
  return text === '""' ? '' : text;
}

function readBirth(pid: Segment, { warn, dateOrder }: ReadingContext): Update<string> {
  const text = textOf(pid, 7);
  if (text == null) return text;
  const date = readBirthDate(text, dateOrder);
  if (date === null) warn("PID-7 isn't a complete date of birth");
  return date ?? undefined;
}

/** Codes from HL7 table 0001, and words that senders write instead. */
const SEXES: Readonly<Record<string, PatientFacts['sex']>> = {
  M: 'Male',
  MALE: 'Male',
  F: 'Female',
  FEMALE: 'Female',
  O: 'Other',
  OTHER: 'Other',
  A: 'Other',
  X: 'Other',
  U: 'Unknown',
  N: 'Unknown',
  UNKNOWN: 'Unknown',
};

function readSex(pid: Segment, { warn }: ReadingContext): PatientFacts['sex'] {
  const code = textOf(pid, 8);
  if (code == null) return code;
  const sex = SEXES[code.toUpperCase()];
  if (sex === undefined) warn("PID-8 isn't in HL7 table 0001");
  return sex;
}

/** Returns the last four digits of PID-19, or of a number in PID-3 if PID-19 is empty or a placeholder. */
function readSsn(pid: Segment, list: readonly Identifier[]): Update<string> {
  const text = textOf(pid, 19);
  if (text === null) return null;
  const listed = list.filter((id) => isSocialSecurityNumber(id, new Set()));
  const texts = [text ?? '', ...listed.map(({ value }) => value)];
  return texts.map(ssnLast4).find((last4) => last4 !== null) ?? undefined;
}

function readMemberships(
  identifiers: readonly Identifier[],
  insurances: readonly Segment[],
  ssns: ReadonlySet<string>,
): Pick<PatientFacts, 'medicareId' | 'memberIds'> {
  const policies = insurances.flatMap((in1) => {
    const authority = textOf(in1, 3) ?? textOf(in1, 2) ?? null;
    return readMemberIds(in1, ssns).map(({ value }) => ({ value, authority, type: 'MB' }));
  });
  const memberIds = distinct([...identifiers.filter(isMemberId), ...policies]);
  const medicareIds = [...identifiers, ...policies].flatMap(({ value }) => medicareIdOf(value) ?? []);
  return { medicareId: medicareIds[0], memberIds: memberIds.length > 0 ? memberIds : undefined };
}

/** HL7 tables 0136 and 0532, and common spellings. */
const UNKNOWN = /^(U|UNK|UNKNOWN|ASKU|NA|NASK|NAV|NI|NP)$/i;

/** Reads PID-30 and PID-29. A time of death without PID-30 also means that the patient died, if it is believed (`future-times.ts`). */
function readDeath(
  pid: Segment,
  context: ReadingContext,
): Pick<PatientFacts, 'deceased' | 'deceasedAt' | 'isDeathByDate'> {
  const deceasedAt = momentOf(pid, 29, context);
  const indicator = textOf(pid, 30);
  if (indicator === null) return { deceased: null, deceasedAt };
  if (/^(Y|YES|T|TRUE|1)$/i.test(indicator ?? '')) return { deceased: true, deceasedAt };
  if (/^(N|NO|F|FALSE|0)$/i.test(indicator ?? '')) return { deceased: false, deceasedAt };
  if (indicator !== undefined && !UNKNOWN.test(indicator)) context.warn('PID-30 is neither Y nor N (not used)');
  return deceasedAt ? { deceased: true, deceasedAt, isDeathByDate: true } : { deceased: undefined, deceasedAt };
}
