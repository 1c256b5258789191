/** Counts what an installation's lists are like: how common names are, and how many people of one home are listed together. */
import { familyNameShare, givenNameShare } from '#server/platform/name-frequencies/name-tables.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';

/** Names that fewer people have are not stored: they might point to someone. */
export const FEWEST_PEOPLE = 20;

export type NameField = 'given' | 'family';
export const PUBLISHED: Record<NameField, (name: string) => number> = {
  given: givenNameShare,
  family: familyNameShare,
};

/** More people than this at one address are a building or an institution, of which each has so many housemates at most. */
const MOST_HOUSEMATES = 9;
/** What is not known counts as much: more than the relatives whom the score expects anywhere. */
const HOUSEMATES_UNKNOWN = 2;
/** Of an event that was never seen in n tries, the share is below 3 / n with a certainty of 95 % ("rule of three"). */
const UNSEEN = 3;

export class ListCounts {
  people = 0;
  /** How many people have each name as one word. Someone listed under two names has both. */
  readonly given = new Map<string, number>();
  readonly family = new Map<string, number>();
  readonly #homes = new Map<string, number>();

  /** Adds a person with all of the person's listings. */
  add(listings: readonly NormalizedDemographics[]): void {
    this.people++;
    count(this.given, listings.map(({ givenWhole }) => givenWhole).filter(isName));
    count(this.family, listings.map(({ familyWhole }) => familyWhole).filter(isName));
    const homes = listings.filter(({ street, zip }) => street !== null && zip !== null);
    count(
      this.#homes,
      homes.map(({ street, zip, unit }) => `${zip}|${street}|${unit ?? ''}`),
    );
  }

  /** How many others of the same home are listed beside someone listed, in the mean: an upper bound, with four digits. */
  get housemates(): number {
    let [people, pairs] = [0, UNSEEN];
    for (const together of this.#homes.values()) {
      people += together;
      pairs += together * Math.min(together - 1, MOST_HOUSEMATES);
    }
    return Math.min(HOUSEMATES_UNKNOWN, Math.ceil((pairs / people) * 1e4) / 1e4);
  }
}

const isName = (name: string): boolean => name.length > 1 && name !== UNNAMED_NEWBORN;

function count(counts: Map<string, number>, values: readonly string[]): void {
  for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
}

export type Counts = Pick<ListCounts, NameField | 'people' | 'housemates'>;

/** Returns the shares of names that are more common here than in the published tables, in millionths like those. */
export function sharesOf(counts: Counts, field: NameField): Map<string, number> {
  const shares = [...counts[field]].flatMap(([name, people]): [string, number][] => {
    const share = Math.round((people / counts.people) * 1e6) / 1e6;
    return people >= FEWEST_PEOPLE && share > PUBLISHED[field](name) ? [[name, share]] : [];
  });
  return new Map(shares);
}
