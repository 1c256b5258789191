import type { Random } from '#demo/world/random.ts';
import type { Facility } from './system.ts';

/** One human being. */
export interface Person {
  family: string;
  given: string;
  /** YYYY-MM-DD */
  birthDate: string;
  sex: 'F' | 'M';
  street: string;
  zip: string;
  /** The program that lists the person, with these demographics; null if none does. */
  program: string | null;
}

/** A person under one record number. */
export interface Registration {
  person: Person;
  recordScope: string;
  number: string;
  /** As registered. A birth date, sex and address that are null are not sent. */
  family: string;
  birthDate: string | null;
  isBare: boolean;
  /** Whether these demographics must link the person's listing. If not, who is notified before a merge or correction stays open. */
  isCertain: boolean;
  /** Whether its name or birth date was another one before. */
  wasCorrected: boolean;
  /** Whether a canceled visit still says otherwise: the product may then take it for another patient's, and either may keep the number. */
  isContradicted: boolean;
  mergedInto: Registration | null;
  /** Until then the sender goes on writing the number after it was merged. */
  lagsUntil: number;
}

const letters = (random: Random, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(97 + random.int(0, 22)))
    .join('')
    .replace(/^./, (first) => first.toUpperCase());

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Returns an invented name, unlike any other by more than a typing error. */
export const newFamilyName = (random: Random): string => letters(random, 10);

// January 1 stands for an unknown birthday, so no one has it.
export const newBirthDate = (random: Random): string =>
  `${random.int(1930, 1989)}-${twoDigits(random.int(2, 12))}-${twoDigits(random.int(2, 26))}`;

export function newPerson(random: Random, program: string | null): Person {
  return {
    family: newFamilyName(random),
    given: letters(random, 8),
    birthDate: newBirthDate(random),
    sex: random.pick(['F', 'M']),
    street: `${random.int(100, 9999)} ${letters(random, 7)} Lane`,
    zip: String(random.int(10_000, 89_999)),
    program,
  };
}

/** Gives out record numbers. Each numbering starts at the same number, so independent ones share their values. */
export class Registrations {
  readonly all: Registration[] = [];

  /** Returns the person's registration where the facility numbers its patients, made if there is none. */
  of(person: Person, facility: Facility): Registration {
    const found = this.all.find((each) => each.person === person && each.recordScope === facility.recordScope);
    return found ?? this.open(person, facility);
  }

  /** Registers a person under a new number, even if they have one. */
  open(person: Person, { recordScope }: Facility, over: Partial<Registration> = {}): Registration {
    const count = this.all.filter((each) => each.recordScope === recordScope).length;
    const registration: Registration = {
      person,
      recordScope,
      number: String(704_211 + 37 * count),
      family: person.family,
      birthDate: person.birthDate,
      isBare: false,
      isCertain: true,
      wasCorrected: false,
      isContradicted: false,
      mergedInto: null,
      lagsUntil: 0,
      ...over,
    };
    this.all.push(registration);
    return registration;
  }
}

/** Returns the registration that survives all merges. */
export const surviving = (registration: Registration): Registration =>
  registration.mergedInto ? surviving(registration.mergedInto) : registration;

/** Returns the registration whose number the sender writes at that time. */
export const inUse = (registration: Registration, at: number): Registration =>
  registration.mergedInto && at >= registration.lagsUntil ? inUse(registration.mergedInto, at) : registration;
