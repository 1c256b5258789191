import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryOf, rowOf, schemaOf } from '#server/testing/columns/random-rows.ts';
import { ReferenceTable } from '#server/testing/columns/reference-table.ts';
import { Table } from './table.ts';
import type { Query, Row } from './types.ts';

const people = schemaOf('p-');
const events = schemaOf('e-');
const KEYS = 60;

type Step = {
  act: 'put' | 'remove' | 'put event' | 'remove event';
  key: number;
  parent: number;
  row: Omit<Row, 'key'>;
};

/** Takes the columns and the plain loops through the same steps. */
class Pair {
  readonly people = new Table(people, { capacity: 1 });
  readonly events = new Table(events, { parent: this.people, capacity: 1 });
  readonly referencePeople = new ReferenceTable(people);
  readonly referenceEvents = new ReferenceTable(events, this.referencePeople);

  take({ act, key, parent, row }: Step): void {
    if (act === 'put') {
      this.people.put({ ...row, key });
      this.referencePeople.rows.set(key, { ...row, key });
    } else if (act === 'put event') {
      if (!this.referencePeople.rows.has(parent)) {
        expect(() => this.events.put({ ...row, key, parent })).toThrow(RangeError);
        return;
      }
      this.events.put({ ...row, key, parent });
      this.referenceEvents.rows.set(key, { ...row, key, parent });
    } else if (act === 'remove event') {
      expect(this.events.remove(key)).toBe(this.referenceEvents.rows.delete(key));
    } else if ([...this.referenceEvents.rows.values()].some((each) => each.parent === key)) {
      expect(() => this.people.remove(key)).toThrow('child rows');
    } else {
      expect(this.people.remove(key)).toBe(this.referencePeople.rows.delete(key));
    }
  }

  check(query: Query, of: 'people' | 'events'): void {
    const [table, reference] =
      of === 'people' ? [this.people, this.referencePeople] : [this.events, this.referenceEvents];
    const expected = reference.search(query);
    expect(table.search(query)).toEqual(expected);
    expect(table.count(query)).toBe(expected.total);
    expect(table.size).toBe(reference.rows.size);
    const own = of === 'people' ? people : events;
    for (const number of own.numbers) expect(table.median(number, query)).toEqual(reference.median(number, query));
    const facet = query.facets[0];
    if (facet === undefined) return;
    for (const text of ['', 'gre', 'merci', 'ETE n', query.words?.join(' ') ?? ''])
      expect(table.values(facet, text, query, 5)).toEqual(reference.values(facet, text, query, 5));
  }
}

const key = fc.integer({ min: 0, max: KEYS });
const step = (act: Step['act']): fc.Arbitrary<Step> =>
  fc.record({ act: fc.constant(act), key, parent: key, row: rowOf(act.endsWith('event') ? events : people) });
const changes = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: step('put') },
    { weight: 2, arbitrary: step('remove') },
    { weight: 5, arbitrary: step('put event') },
    { weight: 2, arbitrary: step('remove event') },
  ),
  { minLength: 1, maxLength: 120, size: 'max' },
);

describe('a table and plain loops', () => {
  it('give the same totals, pages, counts, ranges and completions after any changes', () => {
    const round = fc.record({
      changes,
      people: fc.array(queryOf(KEYS, people), { maxLength: 3 }),
      events: fc.array(queryOf(KEYS, events, people), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 4 }), (rounds) => {
        const pair = new Pair();
        for (const each of rounds) {
          for (const change of each.changes) pair.take(change);
          for (const query of each.people) pair.check(query, 'people');
          for (const query of each.events) pair.check(query, 'events');
        }
      }),
      { numRuns: 150, seed: 4 },
    );
  }, 60_000);
});
