import { MOST_HITS } from '#server/record/matching/blocking-index.ts';
import { blockingKeys } from '#server/record/scoring/blocking.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import type { KnownPerson } from '#server/record/scoring/decide.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import { ListCounts, sharesOf } from '#server/record/scoring/list-counts.ts';

/**
 * The people of a list, found by their blocking keys as in the product, but in memory. Each person has one record. A million people
 * take about four gigabytes.
 */
export class ListingIndex {
  readonly #people: KnownPerson[] = [];
  /** One position, or several: most keys belong to one person, and a million small arrays would take most of the memory. */
  readonly #counts = new ListCounts();
  readonly #positions = new Map<string, number | number[]>();

  get size(): number {
    return this.#people.length;
  }

  add(personId: string, record: NormalizedDemographics): void {
    this.#counts.add([record]);
    const position = this.#people.push({ personId, records: [record] }) - 1;
    for (const key of new Set(blockingKeys(record))) {
      const before = this.#positions.get(key);
      if (before === undefined) this.#positions.set(key, position);
      else if (typeof before === 'number') this.#positions.set(key, [before, position]);
      else before.push(position);
    }
  }

  /** What the list is like, as an installation freezes it. */
  snapshot(): ListSnapshot {
    const [given, family] = [sharesOf(this.#counts, 'given'), sharesOf(this.#counts, 'family')];
    return { number: 1, given, family, housemates: this.#counts.housemates, persons: this.size };
  }

  /** Returns the people who share a key with the subject, each once. A key of too many people is left out, as in the product. */
  candidates(subject: NormalizedDemographics): KnownPerson[] {
    const found = new Set<number>();
    for (const key of blockingKeys(subject)) {
      const positions = this.#positions.get(key);
      if (positions === undefined) continue;
      if (typeof positions === 'number') found.add(positions);
      else if (positions.length <= MOST_HITS) for (const position of positions) found.add(position);
    }
    return Array.from(found, (position) => this.#people[position] as KnownPerson);
  }
}
