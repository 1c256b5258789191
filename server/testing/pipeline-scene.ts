/** The scene of tests that send ADT messages through the whole pipeline: a test's own database, facilities with feeds, and programs. */
import { randomUUID } from 'node:crypto';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { testDatabase } from './database.ts';
import { factories } from './factories.ts';
import { type AdtParts, adt, hospital, type TestPerson } from './hospital.ts';

export interface RegionOptions {
  type?: GroupType;
  facilityType?: FacilityType;
  isPart2?: boolean;
  /** Whether the program lists the patient; true by default. */
  isListed?: boolean;
  isBackfill?: boolean;
  registrationIsVisit?: boolean;
}

/** A facility with a feed, and a program of another organization that lists one of its patients. */
export interface Region {
  facility: string;
  program: string;
  /** MSH-4 and PV1-3.4 of the facility. */
  code: string;
  /** Returns a message about the same person and visit at the facility, unless `more` says otherwise. */
  message: (trigger: string, at: string, more?: Partial<AdtParts>) => string;
  person: TestPerson;
}

/** Over 65 for years to come (what a rule says of younger people depends on their payers), and never January 1, which stands for an unknown day. */
const BIRTHS = [
  { from: 1930, count: 28 },
  { from: 2, count: 11 },
  { from: 2, count: 25 },
];
let births = Math.floor(Math.random() * 1000);

/**
 * Returns another date each time. Of 275 people in a row no two share more than one of year, month and day: all live at one address, so that a date
 * that looks like another one with a typing error would make them candidates of each other.
 */
function nextBirthDate(): string {
  births += 1;
  return BIRTHS.map(({ from, count }) => String(from + (births % count)).padStart(2, '0')).join('-');
}

let people = 0;

/**
 * Returns an invented person whose family name sounds unlike those of thousands before, so that nobody is matched or asked about by accident: all live at one
 * address, where two names of one sound are looked at together.
 */
export function newPerson(over: Partial<TestPerson> = {}): TestPerson {
  people += 1;
  return {
    family: `${soundOf(people)}${randomLetters(4)}`,
    given: capitalized(randomLetters(8)),
    birthDate: nextBirthDate(),
    sex: 'F',
    zip: String(10_000 + Math.floor(Math.random() * 80_000)),
    ...over,
  };
}

/** No X, since XX begins the names of unknown patients. */
const LETTERS = 'abcdefghijklmnopqrstuvw';
/** A consonant of each class of Soundex. */
const CONSONANTS = 'bcdlmr';
const VOWELS = 'aeiou';
const SOUNDS = LETTERS.length * CONSONANTS.length ** 3;

const capitalized = (name: string): string => name.replace(/^./, (first) => first.toUpperCase());
const oneOf = (letters: string): string => letters.charAt(Math.floor(Math.random() * letters.length));
const randomLetters = (length: number): string => Array.from({ length }, () => oneOf(LETTERS)).join('');

/** Returns the beginning of a name, by which Soundex knows it: another one for each of SOUNDS numbers, and not like that of the next. */
function soundOf(number: number): string {
  let rest = (number * 1789) % SOUNDS;
  const take = (letters: string): string => {
    const letter = letters.charAt(rest % letters.length);
    rest = Math.floor(rest / letters.length);
    return letter;
  };
  const first = take(LETTERS);
  return capitalized(first + [CONSONANTS, CONSONANTS, CONSONANTS].map((each) => oneOf(VOWELS) + take(each)).join(''));
}

/** Orders of arrival in which the same messages must give the same result. */
export const ARRIVAL_ORDERS: readonly ((messages: string[]) => string[])[] = [
  (messages) => messages,
  (messages) => messages.toReversed(),
  (messages) => [...messages.slice(1), ...messages.slice(0, 1)],
];

/** The scene's time is always 10 a.m. in New York on November 20, 2026. */
export async function pipelineScene() {
  const database = await testDatabase();
  const now = new Date('2026-11-20T15:00:00Z');
  const clock = () => now;
  const make = factories(database.pipeline, clock);
  const hosp = hospital(database, clock, make);
  await ensurePartitions(database.pipeline, now);

  async function region(options: RegionOptions = {}): Promise<Region> {
    const code = `F-${randomUUID().slice(0, 8)}`;
    const { type = 'HOS', facilityType = 'HOS', isListed = true } = options;
    const facility = await make.group({ type, facilityType });
    if (options.isPart2) {
      await database.pipeline.query('update groups set is_part2_facility = true where id = $1', [facility.id]);
    }
    const { isBackfill = false, registrationIsVisit = false } = options;
    await hosp.feed(facility.organizationId, { [code]: facility.id }, { isBackfill, registrationIsVisit });
    const program = await make.group();
    const person = newPerson();
    if (isListed) await hosp.list(program.id, person);
    const message: Region['message'] = (trigger, at, more = {}) =>
      adt(trigger, { at, record: 'MR-1', visit: 'V-1', facility: code, person, admitted: '202611200900', ...more });
    return { facility: facility.id, program: program.id, code, message, person };
  }

  /** Processes a message again, as a replay does. */
  async function reprocess(id: string): Promise<void> {
    await database.pipeline.query(`update messages set status = 'PENDING', reason = '', attempts = 0 where id = $1`, [
      id,
    ]);
    await hosp.queue.drain();
  }

  return { database, now, clock, make, hosp, region, reprocess };
}
