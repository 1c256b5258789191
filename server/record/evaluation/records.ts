/** What rosters have and hospitals send about a person: two records with errors and omissions of their own. */

import { givenNameTable } from '#server/platform/name-frequencies/name-tables.ts';
import type { Demographics } from '#server/record/scoring/demographics.ts';
import { givenNameForms } from '#server/record/scoring/nicknames.ts';
import { withBirthDigitOff, withDayMonthSwapped, withDigitOff, withTypo } from './mistakes.ts';
import { otherSpellings } from './name-pools.ts';
import type { Person } from './person.ts';
import type { Region } from './places.ts';
import type { Random } from './random.ts';
import { EMERGENCY_RATES, HOSPITAL_RATES, type RecordRates, ROSTER_RATES } from './rates.ts';

const nicknames = new Map<string, string[]>();
for (const short of givenNameTable().keys()) {
  for (const formal of givenNameForms(short).slice(1)) nicknames.set(formal, [...(nicknames.get(formal) ?? []), short]);
}

/** Numbers that registration systems require and that clerks make up. */
const FILLER_SSNS = ['9999', '6789', '1111', '0000', '123456789', '999999999', '111111111'];
const FILLER_PHONES = ['9999999999', '0000000000', '2222222222', '1234567890'];
const FILLER_EMAILS = ['none@none.com', 'noemail@clinic.example', 'na@na.com'];
const ALPHABET =
  'ALPHA BRAVO CHARLIE DELTA ECHO FOXTROT GOLF HOTEL INDIA JULIET KILO LIMA MIKE NOVEMBER OSCAR PAPA'.split(' ');

/** Returns the record of the person on a roster. */
export function rosterRecord(person: Person, random: Random, region: Region): Demographics {
  const record = recordOf(person, ROSTER_RATES, random, region);
  return random.chance(EMERGENCY_RATES.traumaNameListed) ? underTraumaName(record, random, region) : record;
}

/** Returns the record that a hospital sends of the person. */
export function hospitalRecord(person: Person, random: Random, region: Region): Demographics {
  const record = recordOf(person, HOSPITAL_RATES, random, region);
  if (person.isNewborn && random.chance(EMERGENCY_RATES.unnamedNewborn)) return unnamed(record, person, random);
  return random.chance(EMERGENCY_RATES.traumaName) ? underTraumaName(record, random, region) : record;
}

function unnamed(record: Demographics, { sex, birthOrder }: Person, random: Random): Demographics {
  const word = random.pick(['BABY BOY', 'BABYBOY', 'NEWBORN BOY', 'BB', 'BOY']);
  const name = sex === 'Male' ? word : word.replace('BOY', 'GIRL').replace('BB', 'BG');
  const given = birthOrder === null ? name : `${name} ${birthOrder}`;
  return { ...record, given, middle: null, ssnLast4: null, memberIds: [] };
}

/** A patient who cannot say their name: an invented one, January 1 of an estimated year, and the hospital's address. */
function underTraumaName(record: Demographics, random: Random, region: Region): Demographics {
  const { address, phone } = region.hospital(random);
  const name = random.chance(0.3)
    ? { family: 'DOE', given: record.sex === 'Female' ? 'JANE' : 'JOHN' }
    : { family: random.pick(['XXTRAUMA', 'TRAUMA', 'ZZTRAUMA', 'UNKNOWN']), given: random.pick(ALPHABET) };
  const year = random.chance(0.5) ? '1900' : (record.birthDate ?? '1970').slice(0, 4);
  return {
    ...record,
    ...name,
    formerFamilies: [],
    middle: null,
    suffix: null,
    birthDate: `${year}-01-01`,
    line1: address.street,
    city: address.city,
    zip: address.zip,
    phones: random.chance(0.5) ? [phone] : [],
    email: null,
    ssnLast4: null,
    medicareId: null,
    memberIds: [],
  };
}

function recordOf(person: Person, rates: RecordRates, random: Random, region: Region): Demographics {
  const isAtFormerHome = person.formerHome !== null && random.chance(rates.formerHome);
  return {
    ...namesOf(person, rates, random),
    suffix: person.suffix === null || random.chance(rates.noSuffix) ? null : person.suffix,
    birthDate: birthDateOf(person, rates, random),
    sex: sexOf(person, rates, random),
    ...addressOf(person, isAtFormerHome, rates, random),
    ...contactOf(person, isAtFormerHome, rates, random, region),
    ...numbersOf(person, rates, random),
    formerFamilies: person.maidenName !== null && random.chance(rates.maidenNameSent) ? [person.maidenName] : [],
  };
}

function namesOf(
  person: Person,
  rates: RecordRates,
  random: Random,
): Pick<Demographics, 'family' | 'given' | 'middle'> {
  let { given, family } = person;
  if (person.formerFamily !== null && random.chance(rates.formerName)) family = person.formerFamily;
  if (/[ -]/.test(family) && random.chance(rates.partOfDoubleName)) family = partOf(family, random);
  if (random.chance(rates.respelled)) given = pickOr(given, otherSpellings(given), random);
  if (random.chance(rates.respelled)) family = pickOr(family, otherSpellings(family), random);
  if (random.chance(rates.nickname)) given = pickOr(given, nicknames.get(given) ?? [], random);
  let middle = random.chance(rates.noMiddle) ? null : person.middle;
  if (middle !== null && random.chance(rates.middleInitial)) middle = middle.slice(0, 1);
  if (person.middle !== null && random.chance(rates.middleAsGiven)) [given, middle] = [person.middle, null];
  given = mistyped(given, rates.givenTypo, rates, random);
  family = mistyped(family, rates.familyTypo, rates, random);
  if (random.chance(rates.initialOnly)) given = given.slice(0, 1);
  if (random.chance(rates.namesSwapped)) [given, family] = [family, given];
  return { given, family, middle };
}

const pickOr = (name: string, others: readonly string[], random: Random): string =>
  others.length === 0 ? name : random.pick(others);

/** Returns one of the names of a double name; particles stay with their name. */
function partOf(family: string, random: Random): string {
  if (/^(DE|DEL|AL|EL|ABU|BIN|VAN) /.test(family)) return family;
  const parts = family.split(/[ -]/);
  return random.chance(0.7) ? (parts[0] ?? family) : parts.slice(1).join(' ');
}

function mistyped(name: string, rate: number, { secondTypo }: RecordRates, random: Random): string {
  if (!random.chance(rate)) return name;
  const wrong = withTypo(random, name);
  return random.chance(secondTypo) ? withTypo(random, wrong) : wrong;
}

function birthDateOf({ birthDate }: Person, rates: RecordRates, random: Random): string | null {
  if (random.chance(rates.noBirthDate)) return null;
  if (random.chance(rates.dayMonthSwapped)) return withDayMonthSwapped(birthDate);
  return random.chance(rates.birthDigitOff) ? withBirthDigitOff(random, birthDate) : birthDate;
}

function sexOf({ sex }: Person, rates: RecordRates, random: Random): string | null {
  if (random.chance(rates.noSex)) return null;
  const other = sex === 'Male' ? 'Female' : 'Male';
  return random.chance(rates.wrongSex) ? other : sex;
}

function addressOf(
  person: Person,
  isFormer: boolean,
  rates: RecordRates,
  random: Random,
): Pick<Demographics, 'line1' | 'city' | 'state' | 'zip'> {
  const address = isFormer ? (person.formerHome ?? person.home) : person.home;
  const unit = address.unit === null || random.chance(rates.noUnit) ? '' : ` APT ${address.unit}`;
  const street = random.chance(rates.streetTypo) ? withTypo(random, address.street) : address.street;
  const zip = random.chance(rates.wrongZip) ? withDigitOff(random, address.zip) : address.zip;
  return {
    line1: random.chance(rates.noStreet) ? null : street + unit,
    city: random.chance(rates.noCity) ? null : address.city,
    state: address.state,
    zip: random.chance(rates.noZip) ? null : zip,
  };
}

function contactOf(
  person: Person,
  isFormer: boolean,
  rates: RecordRates,
  random: Random,
  region: Region,
): Pick<Demographics, 'phones' | 'email'> {
  const own = isFormer && person.formerPhone !== null ? [person.formerPhone] : person.phones;
  const given = own.length > 1 && random.chance(0.6) ? [random.pick(own)] : own;
  let phones = random.chance(rates.noPhone) ? [] : [...given];
  if (random.chance(rates.phoneDigitOff)) phones = phones.map((phone) => withDigitOff(random, phone));
  if (random.chance(rates.officePhone)) phones = [region.clinic(random).phone];
  if (random.chance(rates.filler)) phones = [random.pick(FILLER_PHONES)];
  const email = random.chance(rates.noEmail) ? null : person.email;
  return { phones, email: random.chance(rates.filler) ? random.pick(FILLER_EMAILS) : email };
}

function numbersOf(
  person: Person,
  rates: RecordRates,
  random: Random,
): Pick<Demographics, 'ssnLast4' | 'medicareId' | 'memberIds'> {
  let ssnLast4 = random.chance(rates.noSsn4) ? null : person.ssnLast4;
  if (ssnLast4 !== null && random.chance(rates.ssn4DigitOff)) ssnLast4 = withDigitOff(random, ssnLast4);
  if (random.chance(rates.filler)) ssnLast4 = random.pick(FILLER_SSNS);
  const { memberId } = person;
  return {
    ssnLast4,
    medicareId: random.chance(rates.noMedicareId) ? null : person.medicareId,
    memberIds: memberId === null || random.chance(rates.noMemberId) ? [] : [memberId],
  };
}
