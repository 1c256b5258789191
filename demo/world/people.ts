import { FAMILY_NAMES, FEMALE_NAMES, LONG_FAMILY_NAME, MALE_NAMES, STREETS, TOWNS, TWIN_NAMES } from './names.ts';
import type { Random } from './random.ts';
import { makeRandom } from './random.ts';

export interface HomeAddress {
  line1: string;
  line2: string;
  city: string;
  state: string;
  zip: string;
}

/** What makes a person hard to match. */
export type Trait = 'twin' | 'generational' | 'sameNameNeighbor' | 'moved' | 'maidenName' | 'longName';

/** One human being of the region, with the true details. */
export interface Person {
  /** Unique and stable for a seed: household × 4 + position in it. */
  id: number;
  household: number;
  family: string;
  given: string;
  middle: string;
  suffix: string;
  /** YYYY-MM-DD */
  birthDate: string;
  sex: 'Female' | 'Male';
  address: HomeAddress;
  /** The previous address, for people who moved. */
  formerAddress: HomeAddress | null;
  maidenName: string | null;
  /** '(231) 555-0142'. The household shares it. */
  homePhone: string;
  mobilePhone: string;
  email: string;
  ssnLast4: string;
  /** Shaped like a Medicare beneficiary identifier; null for most people under 65. */
  medicareId: string | null;
  /** The payer's number for the person (IN1-36). */
  memberId: string;
  /** Has frequent visits, often followed by nursing care. */
  isFrail: boolean;
  traits: Trait[];
}

/** Reserves consecutive ids for each household, so that households can be generated alone and in any order. */
export const PEOPLE_PER_HOUSEHOLD = 4;

type HouseholdKind = 'single' | 'couple' | 'family' | 'twins' | 'generational' | 'neighbors';
const HOUSEHOLD_KINDS: readonly (readonly [HouseholdKind, number])[] = [
  ['single', 40],
  ['couple', 38],
  ['family', 14],
  ['twins', 2.5],
  ['generational', 3],
  ['neighbors', 2.5],
];

/** Returns a phone number in the range that is reserved for fiction (555-0100 to 555-0199), area code by area code. */
function phoneNumber(index: number): string {
  const area = 200 + (Math.floor(index / 100) % 790);
  return `(${area}) 555-01${String(index % 100).padStart(2, '0')}`;
}

function homeAddress(random: Random): HomeAddress {
  const town = random.pick(TOWNS);
  const line2 = random.chance(0.18) ? `Apt ${random.int(1, 40)}` : '';
  return {
    line1: `${random.int(1, 9899)} ${random.pick(STREETS)}`,
    line2,
    city: town.name,
    state: town.state,
    zip: town.zip,
  };
}

const MBI_LETTERS = 'ACDEFGHJKMNPQRTUVWXY';
/** Returns eleven characters in the pattern of a Medicare beneficiary identifier (C A AN N A AN N A A N N). */
function medicareId(random: Random): string {
  const letter = () => MBI_LETTERS[random.int(0, MBI_LETTERS.length - 1)] as string;
  const digit = () => String(random.int(0, 9));
  return [
    random.int(1, 9),
    letter(),
    digit(),
    digit(),
    letter(),
    digit(),
    digit(),
    letter(),
    letter(),
    digit(),
    digit(),
  ].join('');
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();

/** Returns the age that the person reaches in 2026, in years. */
export const ageOf = ({ birthDate }: Pick<Person, 'birthDate'>): number => 2026 - Number(birthDate.slice(0, 4));

/** The youngest age, in years, at which a hospital of the region discharges to a nursing facility. */
export const YOUNGEST_RESIDENT = 50;

function birthDate(random: Random, youngest: number, oldest: number): string {
  const year = 2026 - random.int(youngest, oldest);
  const day = new Date(Date.UTC(year, random.int(0, 11), random.int(1, 28)));
  // January 1 stands for a day that is not known.
  return day
    .toISOString()
    .slice(0, 10)
    .replace(/-01-01$/, '-01-02');
}

function makePerson(random: Random, household: number, place: number, shared: Partial<Person>): Person {
  const id = household * PEOPLE_PER_HOUSEHOLD + place;
  const sex = shared.sex ?? (random.chance(0.54) ? 'Female' : 'Male');
  const [youngest, oldest] = random.weighted<[number, number]>([
    [[66, 97], 55],
    [[30, 65], 35],
    [[18, 29], 10],
  ]);
  const born = shared.birthDate ?? birthDate(random, youngest, oldest);
  const age = ageOf({ birthDate: born });
  const given = shared.given ?? random.pick(sex === 'Female' ? FEMALE_NAMES : MALE_NAMES);
  const family = shared.family ?? random.pick(FAMILY_NAMES);
  return {
    id,
    household,
    family,
    given,
    middle: random.chance(0.6) ? random.pick(sex === 'Female' ? FEMALE_NAMES : MALE_NAMES) : '',
    suffix: '',
    birthDate: born,
    sex,
    address: homeAddress(random),
    formerAddress: null,
    maidenName: null,
    homePhone: phoneNumber(2 * household),
    mobilePhone: place === 0 ? phoneNumber(2 * household + 1) : '',
    email: `${plain(given)}.${plain(family).slice(0, 16)}.${id}@mail.example`,
    ssnLast4: String(random.int(1, 9999)).padStart(4, '0'),
    medicareId: age >= 65 || random.chance(0.06) ? medicareId(random) : null,
    memberId: `W${String(100_000_000 + id * 7 + random.int(0, 6))}`,
    isFrail: random.chance(age >= 65 ? 0.26 : 0.08),
    ...shared,
    traits: shared.traits ?? [],
  };
}

/** Lets a person have moved, changed names with marriage, or have a long or hyphenated name. */
function withLifeEvent(random: Random, person: Person): Person {
  const fate = random.weighted([
    ['none', 88],
    ['moved', 5],
    ['maidenName', 6],
    ['longName', 0.7],
    ['hyphen', 3],
  ] as const);
  if (fate === 'moved') return { ...person, formerAddress: homeAddress(random), traits: ['moved'] };
  if (fate === 'maidenName' && person.sex === 'Female') {
    const maidenName = random.pick(FAMILY_NAMES.filter((name) => name !== person.family));
    return { ...person, maidenName, medicareId: person.medicareId ?? medicareId(random), traits: ['maidenName'] };
  }
  if (fate === 'longName') return { ...person, family: LONG_FAMILY_NAME, traits: ['longName'] };
  if (fate === 'hyphen' && !/[-' ]/.test(person.family)) {
    return { ...person, family: `${person.family}-${random.pick(FAMILY_NAMES.filter((name) => !/[-' ]/.test(name)))}` };
  }
  return person;
}

function specialPair(random: Random, household: number, kind: 'twins' | 'generational' | 'neighbors'): Person[] {
  const first = makePerson(random, household, 0, { traits: [] });
  if (kind === 'twins') {
    const [one, other] = random.pick(TWIN_NAMES);
    const common = {
      family: first.family,
      address: first.address,
      birthDate: birthDate(random, 20, 75),
      traits: ['twin' as const],
    };
    return [
      makePerson(random, household, 0, { ...common, given: one, sex: first.sex, mobilePhone: '' }),
      makePerson(random, household, 1, { ...common, given: other, sex: first.sex }),
    ];
  }
  if (kind === 'generational') {
    const common = {
      family: first.family,
      given: random.pick(MALE_NAMES),
      sex: 'Male' as const,
      address: first.address,
    };
    const traits: Trait[] = ['generational'];
    return [
      makePerson(random, household, 0, { ...common, traits, suffix: 'Sr', birthDate: birthDate(random, 68, 92) }),
      makePerson(random, household, 1, { ...common, traits, suffix: 'Jr', birthDate: birthDate(random, 38, 64) }),
    ];
  }
  const traits: Trait[] = ['sameNameNeighbor'];
  const number = Number.parseInt(first.address.line1, 10);
  const nextDoor = { ...first.address, line1: first.address.line1.replace(/^\d+/, String(number + 2)) };
  const common = { family: first.family, given: first.given, sex: first.sex, traits };
  return [
    { ...first, traits, birthDate: birthDate(random, 66, 90) },
    makePerson(random, household, 1, {
      ...common,
      address: nextDoor,
      homePhone: phoneNumber(2 * household + 1),
      birthDate: birthDate(random, 30, 64),
    }),
  ].map((person) => ({ ...person, mobilePhone: '' }));
}

/** Returns the one to four people of a household: always the same for the same seed and number. */
export function makeHousehold(seed: string, household: number): Person[] {
  const random = makeRandom(`${seed}/household/${household}`);
  const kind = random.weighted(HOUSEHOLD_KINDS);
  if (kind === 'twins' || kind === 'generational' || kind === 'neighbors') return specialPair(random, household, kind);
  const head = makePerson(random, household, 0, {});
  const shared = { family: head.family, address: head.address };
  if (kind === 'single') return [withLifeEvent(random, head)];
  const partnerSex = head.sex === 'Female' ? ('Male' as const) : ('Female' as const);
  const partnerFamily = random.chance(0.2) ? random.pick(FAMILY_NAMES) : head.family;
  const partner = makePerson(random, household, 1, { ...shared, family: partnerFamily, sex: partnerSex });
  if (kind === 'couple') return [head, withLifeEvent(random, partner)];
  const children = Array.from({ length: random.int(1, 2) }, (_, index) =>
    // Grown up: none of the region's programs is for children. Siblings are born in different years, only twins share a birth date.
    makePerson(random, household, 2 + index, {
      ...shared,
      birthDate: birthDate(random, 18 + 6 * index, 23 + 6 * index),
    }),
  );
  return [head, partner, ...children];
}

/** Yields households until they have at least `people` members. */
export function* households(seed: string, people: number): Generator<Person[]> {
  for (let household = 0, count = 0; count < people; household++) {
    const members = makeHousehold(seed, household);
    count += members.length;
    yield members;
  }
}
