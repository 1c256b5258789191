import { type Demographics } from '#server/record/scoring/demographics.ts';
import { makeFamily } from './family.ts';
import type { Person } from './person.ts';
import { Region } from './places.ts';
import { Random } from './random.ts';
import { hospitalRecord, rosterRecord } from './records.ts';

export interface WorldOptions {
  /** How many people the world has, at least; the last family is complete. */
  people: number;
  /** An integer. The same options give the same world on every machine. */
  seed: number;
}

/** Who is on the list. Relatives are drawn one by one, so that the list has one twin of some, and both of others. */
const LISTED = 0.5;

const PURPOSE = { listed: 2, roster: 3, hospital: 4 } as const;

/**
 * Invented people with their relatives, and two records of each: what a roster has and what a hospital sends. Nothing is kept: families
 * are made again whenever they are asked for, so that a world of a million people takes no memory.
 */
export class World {
  readonly #options: WorldOptions;
  readonly #region: Region;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#region = new Region(options.people, options.seed);
  }

  /** Makes all people, family by family. */
  *families(): Generator<Person[]> {
    for (let number = 0, people = 0; people < this.#options.people; number++) {
      const family = makeFamily(this.#region, this.#options.seed, number);
      people += family.length;
      yield family;
    }
  }

  /** Returns the person with this id. */
  person(id: string): Person {
    const [number, position] = id.split(':').map(Number);
    const person = makeFamily(this.#region, this.#options.seed, number ?? -1)[position ?? -1];
    if (person === undefined) throw new RangeError('No person of this world has this id.');
    return person;
  }

  /** Whether the list has the person. For half of the people it does not. */
  isListed = (person: Person): boolean => this.#random(person, PURPOSE.listed).chance(LISTED);

  rosterRecord = (person: Person): Demographics =>
    rosterRecord(person, this.#random(person, PURPOSE.roster), this.#region);

  hospitalRecord = (person: Person): Demographics =>
    hospitalRecord(person, this.#random(person, PURPOSE.hospital), this.#region);

  #random({ id }: Person, purpose: number): Random {
    const [number = 0, position = 0] = id.split(':').map(Number);
    return new Random(this.#options.seed, number, purpose + 16 * (position + 1));
  }
}
