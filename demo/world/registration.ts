import type { HomeAddress, Person } from './people.ts';
import { makeRandom } from './random.ts';

/**
 * What a matcher must do with a facility's patient (docs/domain.md, "Who is it"): link it to the rostered person (`matched`), put it up
 * for review (`review`), or leave it a person of its own, because no group lists this person (`own`).
 */
export type Identity = 'matched' | 'review' | 'own';
export type ReviewReason = 'twin' | 'no birth date' | 'name and birth date only';

/** A person as registered at one facility. All its messages have the same details. */
export interface Registration {
  person: number;
  facility: string;
  identity: Identity;
  reviewReason: ReviewReason | null;
  family: string;
  given: string;
  middle: string;
  suffix: string;
  /** YYYY-MM-DD, or null if the facility has none. */
  birthDate: string | null;
  sex: 'Female' | 'Male' | null;
  address: HomeAddress | null;
  phone: string | null;
  email: string | null;
  ssnLast4: string | null;
  medicareId: string | null;
  memberId: string;
}

/** Flaws of registrations. A matcher cannot be certain of a twin known by the initial, without a birth date, or without anything else. */
type Flaw = 'wrong birth date' | 'other SSN' | ReviewReason;

const FLAWS: readonly (readonly [Flaw, number])[] = [
  ['wrong birth date', 20],
  ['no birth date', 10],
  ['other SSN', 20],
  ['name and birth date only', 50],
];

function accurate(person: Person, facility: string, isListed: boolean): Registration {
  const random = makeRandom(`${person.id}/${facility}/details/${person.ssnLast4}`);
  // If name or address differ from the roster's, the match needs the id numbers: a matcher may rightly ignore fictional phone numbers.
  // A twin's name alone may not be enough beside the other's.
  const isTwin = person.traits.includes('twin');
  const needsNumbers = person.maidenName !== null || person.formerAddress !== null || isTwin;
  return {
    person: person.id,
    facility,
    identity: isListed ? 'matched' : 'own',
    reviewReason: null,
    family: person.family,
    given: person.given,
    middle: random.chance(0.7) ? person.middle : '',
    suffix: person.suffix,
    birthDate: person.birthDate,
    sex: person.sex,
    address: person.address,
    phone: person.homePhone,
    email: random.chance(0.4) ? person.email : null,
    ssnLast4: needsNumbers || random.chance(0.7) ? person.ssnLast4 : null,
    medicareId: needsNumbers || random.chance(0.8) ? person.medicareId : null,
    memberId: person.memberId,
  };
}

/** Returns the date with day and month swapped or, if that is not a date or the same one, with the day off by one. */
function misread(birthDate: string): string {
  const [year, month, day] = birthDate.split('-') as [string, string, string];
  if (Number(day) <= 12 && day !== month) return `${year}-${day}-${month}`;
  const slip = Number(day) % 10 < 8 ? 1 : -1;
  return `${year}-${month}-${String(Number(day) + slip).padStart(2, '0')}`;
}

function flawed(base: Registration, flaw: Flaw): Registration {
  switch (flaw) {
    case 'twin':
      return {
        ...base,
        identity: 'review',
        reviewReason: flaw,
        given: base.given.slice(0, 1),
        middle: '',
        email: null,
        ssnLast4: null,
        medicareId: null,
        memberId: '',
      };
    case 'wrong birth date':
      return { ...base, birthDate: misread(base.birthDate ?? '1950-01-02') };
    case 'no birth date':
      return {
        ...base,
        identity: 'review',
        reviewReason: flaw,
        birthDate: null,
        ssnLast4: null,
        medicareId: null,
        email: null,
        memberId: '',
      };
    case 'other SSN':
      return { ...base, ssnLast4: String((Number(base.ssnLast4 ?? '17') + 4321) % 10000).padStart(4, '0') };
    case 'name and birth date only':
      return {
        ...base,
        identity: 'review',
        reviewReason: flaw,
        sex: null,
        address: null,
        phone: null,
        email: null,
        ssnLast4: null,
        medicareId: null,
        middle: '',
        memberId: '',
      };
  }
}

/** Returns how a facility registered a person; depends on its arguments only. A few listed people have registrations too poor to match. */
export function registrationOf(seed: string, person: Person, facility: string, isListed: boolean): Registration {
  const base = accurate(person, facility, isListed);
  if (!isListed) return base;
  const random = makeRandom(`${seed}/registration/${person.id}/${facility}`);
  if (person.traits.includes('twin')) return random.chance(0.5) ? flawed(base, 'twin') : base;
  if (person.traits.length > 0 || !random.chance(0.04)) return base;
  const flaw = random.weighted(FLAWS);
  // Who may still live with a twin is not linked with another number.
  return flaw === 'other SSN' && person.birthDate >= '1990' ? base : flawed(base, flaw);
}

const RECORD_NUMBER_SPACE = 10_000_000;
const FACILITY_PREFIX: Record<string, string> = {
  mercy: 'MG',
  'urgent-care': 'UC',
  brendan: 'SB',
  'oak-hollow': 'OH',
  'willow-bend': 'WB',
  tamarack: 'TH',
  stillwater: 'SW',
};

/** Returns a facility's record number for a person, or that of a duplicate registration (`second`). Unique below 5,000,000 people. */
export function recordNumber(person: number, facility: string, second = false): string {
  const serial = ((person + (second ? RECORD_NUMBER_SPACE / 2 : 0)) * 7919 + 104_729) % RECORD_NUMBER_SPACE;
  return `${FACILITY_PREFIX[facility] ?? 'XX'}${String(serial).padStart(7, '0')}`;
}
