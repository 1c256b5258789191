/** Patient and Coverage → facts about the patient (FHIR R4, 8.1 and 11.1). */
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { Address, Identifier, PatientFacts, PersonName } from '#server/intake/hl7/adt-facts.ts';
import { ASK_SENDER } from '#server/intake/hl7/field-values.ts';
import {
  distinct,
  isMemberId,
  isPlaceholder,
  isSocialSecurityNumber,
  medicareIdOf,
  recordNumbersAmong,
  ssnLast4,
  ssnsAmong,
} from '#server/intake/hl7/identifiers.ts';
import { readBirthDate } from '#server/intake/hl7/time.ts';
import { identifiersOf } from './codes.ts';
import { list, type Node, property, text, texts } from './json.ts';
import { type FhirContext, momentAt } from './times.ts';
import { Unusable } from './unreadable.ts';

/** What tells one person from another: the record number, and every other number but Social Security numbers. */
type Numbers = Pick<PatientFacts, 'recordNumber' | 'recordAuthority' | 'identifiers'>;

/** Returns the patient. `memberIds`: those of Coverage. Errors: Unusable without a record number. */
export function readPatient(
  patient: Node,
  memberIds: readonly Identifier[],
  facility: string,
  settings: FeedSettings,
  context: FhirContext,
): PatientFacts {
  const all = identifiersOf(patient);
  const numbers = numbersOf(all, facility, settings);
  const ssns = ssnsAmong(all);
  const members = distinct([
    ...numbers.identifiers.filter(isMemberId),
    ...memberIds.filter((id) => !isSocialSecurityNumber(id, ssns)),
  ]);
  return {
    ...numbers,
    ...readNames(patient, context),
    birthDate: readBirth(patient, context),
    sex: readSex(patient, context),
    address: readAddress(patient),
    ...readTelecoms(patient),
    ssnLast4:
      all
        .filter((id) => isSocialSecurityNumber(id, new Set()))
        .map(({ value }) => ssnLast4(value))
        .find((last4) => last4 !== null) ?? undefined,
    medicareId: [...numbers.identifiers, ...members].flatMap(({ value }) => medicareIdOf(value) ?? [])[0],
    memberIds: members.length > 0 ? members : undefined,
    ...readDeath(patient, context),
  };
}

/** Returns the numbers among identifiers. Errors: Unusable if none can be a record number. */
export function numbersOf(all: readonly Identifier[], facility: string, { recordNumber }: FeedSettings): Numbers {
  const ssns = ssnsAmong(all);
  const identifiers = distinct(all.filter((id) => !isSocialSecurityNumber(id, ssns)));
  const [record] = recordNumbersAmong(
    identifiers.filter((id) => !isPlaceholder(id)),
    recordNumber,
    facility,
  );
  if (record === undefined) {
    throw new Unusable(
      all.length === 0
        ? `Patient.identifier is empty, so the patient is unknown. ${ASK_SENDER}`
        : "Patient.identifier has none that can be a record number. Check recordNumber in the feed's settings, then replay the message.",
    );
  }
  const { value, authority } = record;
  return { recordNumber: value, ...(authority !== null && { recordAuthority: authority }), identifiers };
}

const FORMER = new Set(['old', 'maiden']);
const NOT_REAL = new Set(['nickname', 'anonymous', 'temp']);
const MOST_FORMER = 10;

/** Chooses the official name, else the usual one, else the first that is neither former nor a nickname. */
function readNames(patient: Node, { warn }: FhirContext): Pick<PatientFacts, 'name' | 'formerFamilies'> {
  const names = list(patient, 'name').map((node) => ({ use: text(node, 'use') ?? '', name: nameOf(node) }));
  const filled = names.filter(({ name }) => name.family !== '' || name.given !== '');
  if (names.length > 0 && filled.length === 0) warn('Patient.name has neither family nor given');
  const present = filled.filter(({ use }) => !FORMER.has(use) && !NOT_REAL.has(use));
  const of = (wanted: string) => present.find(({ use }) => use === wanted);
  const chosen = of('official') ?? of('usual') ?? present[0] ?? filled[0];
  const before = filled.filter((each) => each !== chosen && FORMER.has(each.use)).map(({ name }) => name.family);
  const families = [...new Set(before)].filter(
    (family) => family !== '' && family.toUpperCase() !== chosen?.name.family.toUpperCase(),
  );
  return { name: chosen?.name, formerFamilies: families.length > 0 ? families.slice(0, MOST_FORMER) : undefined };
}

function nameOf(node: Node): PersonName {
  const [given = '', ...middle] = texts(node, 'given');
  return {
    family: text(node, 'family') ?? '',
    given,
    middle: middle.join(' ') || null,
    suffix: texts(node, 'suffix').join(' ') || null,
  };
}

function readBirth(patient: Node, { warn }: FhirContext): string | undefined {
  const sent = text(patient, 'birthDate');
  if (sent === undefined) return undefined;
  const date = readBirthDate(sent);
  if (date === null) warn("Patient.birthDate isn't a complete date of birth");
  return date ?? undefined;
}

/** Value set administrative-gender. */
const SEXES: ReadonlyMap<string, NonNullable<PatientFacts['sex']>> = new Map([
  ['male', 'Male'],
  ['female', 'Female'],
  ['other', 'Other'],
  ['unknown', 'Unknown'],
]);

function readSex(patient: Node, { warn }: FhirContext): PatientFacts['sex'] {
  const sent = text(patient, 'gender');
  if (sent === undefined) return undefined;
  const sex = SEXES.get(sent.toLowerCase());
  if (sex === undefined) warn("Patient.gender isn't in the value set administrative-gender");
  return sex;
}

/** Returns the home address, else the first one that is neither old nor for bills. */
function readAddress(patient: Node): Address | undefined {
  const all = list(patient, 'address').map((node) => ({ use: text(node, 'use') ?? '', address: addressOf(node) }));
  const filled = all.filter(({ address }) => Object.values(address).some((part) => part !== null));
  const chosen =
    filled.find(({ use }) => use === 'home') ?? filled.find(({ use }) => use !== 'old' && use !== 'billing');
  return chosen?.address;
}

function addressOf(node: Node): Address {
  const [line1 = null, ...others] = texts(node, 'line');
  return {
    line1,
    line2: others.join(', ') || null,
    city: text(node, 'city') ?? null,
    state: text(node, 'state') ?? null,
    zip: text(node, 'postalCode') ?? null,
  };
}

/** Returns the phone numbers, that of home first, and the first email address. */
function readTelecoms(patient: Node): Pick<PatientFacts, 'phones' | 'email'> {
  const points = list(patient, 'telecom').filter((point) => text(point, 'use') !== 'old');
  const of = (system: string, use?: string) =>
    points
      .filter((point) => text(point, 'system') === system && (use === undefined || text(point, 'use') === use))
      .flatMap((point) => text(point, 'value')?.replace(/^(?:tel|mailto):/i, '') ?? []);
  const phones = new Set([...of('phone', 'home'), ...of('phone'), ...of('sms')].filter((number) => /\d/.test(number)));
  return {
    phones: phones.size > 0 ? [...phones] : undefined,
    email: of('email').find((address) => address.includes('@')),
  };
}

function readDeath(
  patient: Node,
  context: FhirContext,
): Pick<PatientFacts, 'deceased' | 'deceasedAt' | 'isDeathByDate'> {
  const indicator = property(patient, 'deceasedBoolean');
  if (typeof indicator === 'boolean') return { deceased: indicator };
  const deceasedAt = momentAt(patient, 'deceasedDateTime', 'Patient.deceasedDateTime', context);
  return deceasedAt ? { deceased: true, deceasedAt, isDeathByDate: true } : {};
}
