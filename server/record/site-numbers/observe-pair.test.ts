/** The estimate on an invented world, in which it is known who is who. */
import { expect, test } from 'vitest';
import { World } from '#server/record/evaluation/world.ts';
import { blockingKeys } from '#server/record/scoring/blocking.ts';
import { type Demographics, type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';
import { estimate } from './expectation-maximization.ts';
import {
  CELLS,
  type ComparedPair,
  fieldOf,
  observePair,
  SAMPLES,
  type Sample,
  START,
  withLocalAddresses,
} from './observe-pair.ts';

interface WorldRecord {
  id: string;
  record: NormalizedDemographics;
}

/** Everyone's record of a hospital, and of half of them one of a roster. */
function recordsOf(world: World, change: (record: Demographics) => Demographics = (record) => record): WorldRecord[] {
  const one = (id: string, record: Demographics): WorldRecord => ({ id, record: normalize(change(record)) });
  return [...world.families()]
    .flat()
    .flatMap((person) => [
      one(person.id, world.hospitalRecord(person)),
      ...(world.isListed(person) ? [one(person.id, world.rosterRecord(person))] : []),
    ]);
}

/** All pairs of the world that share a key of the sample, and who of them are one person. */
function pairsOf(sample: Sample, records: readonly WorldRecord[]): (ComparedPair & { truth: boolean })[] {
  const byKey = new Map<string, WorldRecord[]>();
  for (const each of records)
    for (const key of new Set(blockingKeys(each.record)))
      if (key.startsWith(`${sample.key}:`)) byKey.set(key, [...(byKey.get(key) ?? []), each]);
  return [...byKey.values()].flatMap((sharing) =>
    sharing.flatMap((a, index) =>
      sharing.slice(0, index).map((b) => ({ ...observePair(sample, a.record, b.record), truth: a.id === b.id })),
    ),
  );
}

test.for(SAMPLES)(
  'the numbers of a world are found without knowing who is who, within 0.03: pairs with $name',
  (sample) => {
    const pairs = pairsOf(sample, recordsOf(new World({ people: 6000, seed: 5 })));
    const matches = pairs.filter(({ truth }) => truth);
    const found = estimate(withLocalAddresses(pairs), START);
    expect(Math.abs(found.matches / matches.length - 1)).toBeLessThan(0.05);
    const inRow = new Map<string, number>();
    const inCell = CELLS.map(({ row }, cell) => {
      const count = matches.filter(({ cells }) => cells.includes(cell)).length;
      inRow.set(row, (inRow.get(row) ?? 0) + count);
      return count;
    });
    const compared = CELLS.flatMap(({ row, level }, cell) => {
      const of = inRow.get(row) ?? 0;
      // Of an address the truth would have to say who moved.
      if (fieldOf(row) === 'address' || of < 200) return [];
      expect(Math.abs((found.match[cell] ?? 0) - (inCell[cell] ?? 0) / of), `${row} ${level}`).toBeLessThan(0.03);
      return [row];
    });
    const fields =
      sample.key === 'D'
        ? ['given', 'family', 'middle', 'sex', 'phone', 'email', 'ssnLast4', 'memberId']
        : ['birthDate'];
    expect([...new Set(compared)]).toEqual(expect.arrayContaining(fields));
  },
);

test('where everyone lives in one ZIP code, strangers of one birth date are not taken for matches', () => {
  const [sample] = SAMPLES.filter(({ key }) => key === 'D');
  const inOneZip = ({ zip, city, ...record }: Demographics): Demographics => ({
    ...record,
    city: city && 'Bath',
    zip: zip && '04530',
  });
  const pairs = sample ? pairsOf(sample, recordsOf(new World({ people: 16_000, seed: 5 }), inOneZip)) : [];
  const matches = pairs.filter(({ truth }) => truth).length;
  const isRight = (found: number): boolean => Math.abs(found / matches - 1) < 0.05;
  expect(isRight(estimate(withLocalAddresses(pairs), START).matches)).toBe(true);
  expect(isRight(estimate(pairs, START).matches)).toBe(false);
});
