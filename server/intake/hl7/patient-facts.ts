/** Reads PID, and the patient's health plan memberships from IN1 (HL7 v2.5.1, 3.4.2 and 6.5.6). */

import type { FeedSettings } from '#contract/feed-settings.ts';
import type { Address, Identifier, PatientFacts, PersonName } from './adt-facts.ts';
import { ASK_SENDER, isDeleted, momentOf, type ReadingContext, textOf, type Update, valueOf } from './field-values.ts';
import {
  chooseRecordNumber,
  distinct,
  isMemberId,
  isPlaceholder,
  isSocialSecurityNumber,
  medicareIdOf,
  readIdentifiers,
  ssnDigits,
  ssnLast4,
} from './identifiers.ts';
import type { Segment } from './message.ts';
import { readBirthDate } from './time.ts';

/** Returns the patient of a PID segment at `facility`, or the reason why there is none. */
export function readPatient(
  pid: Segment,
  insurances: readonly Segment[],
  facility: string,
  settings: FeedSettings,
  context: ReadingContext,
): PatientFacts | { reason: string } {
  const ssn = ssnDigits(pid.component(19));
  const [list, external, alternate] = [3, 2, 4].map((field) => readIdentifiers(pid, field)) as [
    Identifier[],
    Identifier[],
    Identifier[],
  ];
  const usable = (identifiers: Identifier[]) => identifiers.filter((id) => !isSocialSecurityNumber(id, ssn));
  const choose = (identifiers: Identifier[]) =>
    chooseRecordNumber(
      usable(identifiers).filter((id) => !isPlaceholder(id)),
      settings.recordNumber,
      facility,
    );
  const record = choose(list) ?? choose(external);
  if (record === null) return { reason: reasonWithoutRecord(list) };
  const identifiers = distinct(usable([...list, ...external, ...alternate]));
  return {
    recordNumber: record.value,
    ...(record.authority !== null && { recordAuthority: record.authority }),
    identifiers,
    ...readNames(pid),
    birthDate: readBirth(pid, context),
    sex: readSex(pid, context),
    address: readAddress(pid),
    ...readTelecoms(pid),
    ssnLast4: readSsn(pid, list),
    ...readMemberships(identifiers, insurances, ssn),
    ...readDeath(pid, context),
  };
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

/** Chooses the legal name (XPN.7 L), else the first one that is neither former nor a nickname or pseudonym. */
function readNames(pid: Segment): Pick<PatientFacts, 'name' | 'formerFamilies'> {
  if (isDeleted(pid, 5)) return { name: null, formerFamilies: null };
  const repetitions = [...pid.repetitions(5).keys()];
  const typeOf = (repetition: number) => textOf(pid, 5, 7, repetition) ?? '';
  const filled = repetitions.filter((r) => namePart(pid, 1, r) !== '' || namePart(pid, 2, r) !== '');
  const chosen =
    filled.find((r) => typeOf(r) === 'L') ??
    filled.find((r) => !FORMER.test(typeOf(r)) && !NOT_REAL.test(typeOf(r))) ??
    filled[0];
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

/** Returns the home address (XAD.7 H), else the first one not marked as bad (BA). */
function readAddress(pid: Segment): Update<Address> {
  if (isDeleted(pid, 11)) return null;
  const filled = [...pid.repetitions(11).keys()].filter((r) => [1, 3, 4, 5].some((c) => textOf(pid, 11, c, r) != null));
  const typeOf = (repetition: number) => textOf(pid, 11, 7, repetition) ?? '';
  const chosen =
    filled.find((r) => /^(H|HOME)$/i.test(typeOf(r))) ?? filled.find((r) => typeOf(r) !== 'BA') ?? filled[0];
  if (chosen === undefined) return undefined;
  const part = (component: number) => textOf(pid, 11, component, chosen) ?? null;
  return { line1: street(pid, chosen), line2: part(2), city: part(3), state: part(4), zip: part(5) };
}

/** XAD.1 can repeat the street in subcomponents. An `&` between blanks is text that wasn't escaped. */
function street(pid: Segment, repetition: number): string | null {
  const whole = textOf(pid, 11, 1, repetition);
  if (whole == null || whole.includes(' & ')) return whole ?? null;
  return valueOf(pid.subcomponent(11, 1, 1, repetition)) || whole;
}

const NOT_VOICE = /^(FX|BP|TDD|TTY|MD|FAX|INTERNET|X\.400)$/i;

/** Reads PID-13 and PID-14 (XTN). The number is in component 1 (older form), in 6 and 7, or in 12. */
function readTelecoms(pid: Segment): Pick<PatientFacts, 'phones' | 'email'> {
  const phones: string[] = [];
  let email: Update<string>;
  for (const field of [13, 14]) {
    for (const repetition of pid.repetitions(field).keys()) {
      const part = (component: number) => textOf(pid, field, component, repetition) ?? '';
      const address = [part(4), part(1)].find((text) => text.includes('@'));
      email ??= address;
      if (address !== undefined || NOT_VOICE.test(part(3))) continue;
      const phone = part(1) || part(6) + part(7) || part(12);
      if (/\d/.test(phone)) phones.push(phone);
    }
  }
  const silent = phones.length === 0 && !isDeleted(pid, 13);
  return { phones: silent ? undefined : [...new Set(phones)], email };
}

function readSsn(pid: Segment, list: readonly Identifier[]): Update<string> {
  const text = textOf(pid, 19);
  if (text === null) return null;
  const listed = list.find((id) => isSocialSecurityNumber(id, null))?.value;
  return ssnLast4(text ?? listed ?? '') ?? undefined;
}

function readMemberships(
  identifiers: readonly Identifier[],
  insurances: readonly Segment[],
  ssn: string | null,
): Pick<PatientFacts, 'medicareId' | 'memberIds'> {
  const policies = insurances.flatMap((in1) => {
    const authority = textOf(in1, 3) ?? textOf(in1, 2) ?? null;
    return [36, 49].flatMap((field) =>
      readIdentifiers(in1, field).map(({ value }) => ({ value, authority, type: 'MB' })),
    );
  });
  const memberIds = distinct([...identifiers.filter(isMemberId), ...policies]).filter(
    (id) => !isSocialSecurityNumber(id, ssn),
  );
  const medicareIds = [...identifiers, ...policies].flatMap(({ value }) => medicareIdOf(value) ?? []);
  return { medicareId: medicareIds[0], memberIds: memberIds.length > 0 ? memberIds : undefined };
}

/** Reads PID-30 and PID-29. A time of death without PID-30 also means that the patient died. */
function readDeath(pid: Segment, context: ReadingContext): Pick<PatientFacts, 'deceased' | 'deceasedAt'> {
  const deceasedAt = momentOf(pid, 29, context);
  const indicator = textOf(pid, 30);
  if (indicator === null) return { deceased: null, deceasedAt };
  const deceased =
    /^(Y|YES|TRUE)$/i.test(indicator ?? '') || (/^(N|NO|FALSE)$/i.test(indicator ?? '') ? false : undefined);
  return { deceased: deceased ?? (deceasedAt ? true : undefined), deceasedAt };
}
