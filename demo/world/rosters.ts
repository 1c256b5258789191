import { NICKNAMES, PROVIDER_NAMES } from './names.ts';
import type { Person } from './people.ts';
import { makeRandom, type Random } from './random.ts';
import { COORDINATORS, coordinatorCells, PROVIDER_CONTACTS } from './roster-contacts.ts';

/** The groups that upload a roster. Facilities list patients from their own encounters instead. */
export const ROSTER_GROUPS = ['lakeshore-aco', 'pines-plan', 'harborview'] as const;
export type RosterGroup = (typeof ROSTER_GROUPS)[number];

/** How a row may differ from the person's details at the hospitals. */
export type RowVariant =
  | 'exact'
  | 'typo'
  | 'nickname'
  | 'former address'
  | 'maiden name'
  | 'plain letters'
  | 'few identifiers';

/** A person as listed by a group. */
export interface RosterRow {
  group: RosterGroup;
  person: number;
  variant: RowVariant;
  /** In the order of `ROSTER_COLUMNS`. */
  cells: string[];
}

export const ROSTER_COLUMNS = [
  'Member ID',
  'First Name',
  'Middle Name',
  'Last Name',
  'Suffix',
  'Date of Birth',
  'Gender',
  'Address 1',
  'Address 2',
  'Address 3',
  'City',
  'State',
  'ZIP',
  'Home Phone',
  'Mobile Phone',
  'SSN Last 4',
  'Medicare ID',
  'Program',
  'Practice',
  'Provider First Name',
  'Provider Last Name',
  'Provider NPI',
  'Provider Title',
  'Provider Type',
  'Provider Phone',
  'Provider Fax',
  'Provider Email',
  'Provider Direct Address',
  'Care Coordinators',
  'Care Coordinator Titles',
  'Care Coordinator Phones',
  'Care Coordinator Faxes',
  'Care Coordinator Emails',
  'Care Coordinator Event Types',
  'Insurance',
  'Tags',
  'Care Gaps',
  'Advance Care Documents',
  'Currently Billing Agencies',
] as const;

/** Returns an NPI: ten digits that start with 1 and end in the check digit (Luhn over 80840 and the number). */
export function npi(serial: number): string {
  const body = `1${String(serial).padStart(8, '0')}`;
  const digits = Array.from(`80840${body}`, Number).reverse();
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}

/** Programs of Medicare, and those for everyone. */
const PROGRAMS: Record<RosterGroup, { medicare: readonly string[]; all: readonly string[] }> = {
  'lakeshore-aco': { medicare: ['Shared Savings', 'Heart Failure at Home'], all: ['Complex Care'] },
  'pines-plan': { medicare: ['Pines Advantage'], all: ['Chronic Care'] },
  harborview: { medicare: [], all: ['Harborview Panel'] },
};
const PRACTICES = [
  'Harborview Primary Care',
  'Kestrel Family Medicine',
  'Copper Ferry Internists',
  'Marlow Falls Clinic',
  'Old Foundry Geriatrics',
  'Gannet Harbor Heart Center',
];
const TAGS = [
  'High touch',
  'Lives alone',
  'Needs interpreter',
  'Transport needed',
  'Oxygen at home',
  'Dialysis',
  'New to the program, not yet called',
];
const CARE_GAPS = [
  'Annual wellness visit',
  'Diabetic eye exam',
  'Colorectal screening',
  'Blood pressure control',
  'Fall risk screening',
  'Medication review',
  'Hemoglobin A1c',
];
const ADVANCE_DOCUMENTS = ['Living will', 'Health care proxy', 'POLST', 'Do-not-resuscitate order'];
/** The first is a facility of the region. The others bill without sending messages. */
const AGENCIES = ['Tamarack Home Health', 'Lantern Hospice', 'Shoreline Visiting Nurses', 'Copper Ferry Infusion'];
const MEDICARE = 'Federal Medicare';
const INSURANCE = ['Northern Pines Health Plan', 'Great Lantern Mutual', 'Bay Commons Medicaid'];

const some = (random: Random, items: readonly string[], probability: number, most: number) =>
  random.chance(probability) ? random.shuffle(items).slice(0, random.int(1, most)) : [];

/** Adults only. Draws for everyone, so that no later cell depends on the age. */
function advanceDocuments(random: Random, { birthDate }: Person): string[] {
  const drawn = some(random, ADVANCE_DOCUMENTS, 0.15, 2);
  return birthDate < '2006' ? drawn : [];
}

/** Drops, doubles or swaps one letter inside the word: a single edit, which fuzzy comparison tolerates. */
export function typo(random: Random, word: string): string {
  const at = random.int(1, word.length - 3);
  const kind = random.int(0, 2);
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 1) return word.slice(0, at) + (word[at] as string) + word.slice(at);
  return word.slice(0, at) + (word[at + 1] as string) + (word[at] as string) + word.slice(at + 2);
}

/** Returns the groups that list a household. People who are hard to tell apart are always listed together. */
function listingGroups(seed: string, members: Person[]): RosterGroup[] {
  const random = makeRandom(`${seed}/listing/${(members[0] as Person).household}`);
  const isPair = members.some((person) =>
    person.traits.some((trait) => trait === 'twin' || trait === 'generational' || trait === 'sameNameNeighbor'),
  );
  if (!isPair && random.chance(0.24)) return [];
  const groups = ROSTER_GROUPS.filter((group) => random.chance(group === 'lakeshore-aco' ? 0.68 : 0.34));
  return groups.length > 0 && !(isPair && !groups.includes('lakeshore-aco')) ? groups : ['lakeshore-aco'];
}

function variantFor(random: Random, person: Person): RowVariant {
  if (person.formerAddress) return 'former address';
  if (person.maidenName) return 'maiden name';
  if (person.traits.length > 0) return 'exact';
  const variant = random.weighted([
    ['exact', 70],
    ['typo', 9],
    ['nickname', 6],
    ['plain letters', 8],
    ['few identifiers', 7],
  ] as const);
  if (variant === 'typo' && !/^[A-Za-z]{6,}$/.test(person.family)) return 'exact';
  if (variant === 'nickname' && !NICKNAMES[person.given]) return 'exact';
  return variant;
}

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

function asListed(random: Random, person: Person, variant: RowVariant): Person {
  switch (variant) {
    case 'typo':
      return { ...person, family: typo(random, person.family) };
    case 'nickname':
      return { ...person, given: NICKNAMES[person.given] ?? person.given };
    case 'former address':
      return { ...person, address: person.formerAddress ?? person.address };
    case 'maiden name':
      return { ...person, family: person.maidenName ?? person.family };
    case 'plain letters':
      return {
        ...person,
        family: withoutAccents(person.family).toUpperCase(),
        given: withoutAccents(person.given).toUpperCase(),
        middle: person.middle.slice(0, 1),
      };
    case 'few identifiers':
      return { ...person, middle: '', medicareId: null, mobilePhone: '' };
    case 'exact':
      return person;
  }
}

/** Returns the member id of a person in a group: the payer's own at the health plan, and the group's own numbering elsewhere. */
function memberIdOf(group: RosterGroup, person: Person): string {
  if (group === 'pines-plan') return person.memberId;
  return `${group === 'harborview' ? 'HV' : 'LA'}-${String(person.id).padStart(7, '0')}`;
}

function rowCells(random: Random, group: RosterGroup, person: Person): string[] {
  const provider = random.int(0, PROVIDER_NAMES.length - 1);
  const reached = PROVIDER_CONTACTS[provider] as (typeof PROVIDER_CONTACTS)[number];
  const [providerGiven, providerFamily] = PROVIDER_NAMES[provider] as (typeof PROVIDER_NAMES)[number];
  const [year, month, day] = person.birthDate.split('-');
  const { medicare, all } = PROGRAMS[group];
  const programs = person.medicareId === null ? all : [...medicare, ...all];
  const program = random.chance(0.15) ? programs.slice(0, 2) : [random.pick(programs)];
  const insurance = some(random, INSURANCE, person.medicareId === null ? 0.9 : 0.3, 1);
  return [
    memberIdOf(group, person),
    person.given,
    person.middle,
    person.family,
    person.suffix,
    `${month}/${day}/${year}`,
    person.sex,
    person.address.line1,
    person.address.line2,
    random.fork('address3').chance(0.03) ? 'c/o Lantern Court Assisted Living' : '',
    person.address.city,
    person.address.state,
    person.address.zip,
    person.homePhone,
    person.mobilePhone,
    person.ssnLast4,
    person.medicareId ?? '',
    program.join(';'),
    group === 'harborview' ? (PRACTICES[0] as string) : random.pick(PRACTICES),
    providerGiven,
    providerFamily,
    npi(40_000_000 + provider),
    reached.title,
    reached.type,
    reached.phone,
    reached.fax,
    reached.email,
    reached.direct,
    ...coordinatorCells(some(random, COORDINATORS[group], 0.8, 2)),
    [...(person.medicareId === null ? [] : [MEDICARE]), ...insurance].join(';'),
    some(random, TAGS, 0.3, 3).join(';'),
    some(random, CARE_GAPS, 0.35, 3).join(';'),
    advanceDocuments(random, person).join(';'),
    some(random, AGENCIES, person.isFrail ? 0.3 : 0.03, 2).join(';'),
  ];
}

/**
 * Returns the roster rows of a household. At most one group's row for a person differs from the truth, so that the rows and the hospitals'
 * messages always have enough in common to match.
 */
export function rosterRows(seed: string, members: Person[]): RosterRow[] {
  const groups = listingGroups(seed, members);
  return members.flatMap((person) => {
    const random = makeRandom(`${seed}/row/${person.id}`);
    const variant = variantFor(random, person);
    const odd = groups.length > 0 ? random.pick(groups) : null;
    return groups.map((group): RosterRow => {
      const here = group === odd ? variant : 'exact';
      return {
        group,
        person: person.id,
        variant: here,
        cells: rowCells(random.fork(group), group, asListed(random.fork('typo'), person, here)),
      };
    });
  });
}

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Yields the lines of a roster file, header first, each with CR LF (RFC 4180). A generator, so that a large file can be streamed. */
export function* rosterCsvLines(rows: Iterable<RosterRow>): Generator<string> {
  yield `${ROSTER_COLUMNS.map(cell).join(',')}\r\n`;
  for (const row of rows) yield `${row.cells.map(cell).join(',')}\r\n`;
}
