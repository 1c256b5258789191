import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Transaction } from '#server/platform/database/pool.ts';
import { normalize } from '#server/record/scoring/demographics.ts';
import { hashOfKey } from '#server/record/scoring/key-hashes.ts';
import { SKETCH_BYTES } from '#server/record/scoring/sketch.ts';
import { testDatabase } from '#server/testing/database.ts';
import { NOBODY } from '#server/testing/invented-people.ts';
import { type Entry, entryOf, findByKeys, type Hit, loadEntries, MOST_HITS, replaceEntries } from './blocking-index.ts';
import { type Subject, subjectKey } from './subjects.ts';

const { pipeline } = await testDatabase();

const rosterRow = (id: number): Subject => ({ kind: 'ROSTER_PATIENT', id: String(id) });
const entry = (...keys: number[]): Entry => ({ keys, sketch: Buffer.alloc(SKETCH_BYTES, keys.length) });

type Entries = Map<string, Entry>;
const NONE: Entries = new Map();

/** Runs `work` with an index of these entries, and leaves no trace of it. */
async function withIndex<T>(subjects: Subject[], entries: Entries, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let result: T | undefined;
  const undone = new Error('Undone');
  await pipeline
    .transaction(async (tx) => {
      await replaceEntries(tx, subjects, NONE, entries);
      result = await work(tx);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return result as T;
}

/** Returns what is found before new entries are written and after it. */
async function beforeAndAfter(all: Subject[], own: Subject[], old: Entries, fresh: Entries, keys: number[]) {
  return withIndex(all, old, async (tx) => {
    const before = await findByKeys(tx, [{ keys, sketch: null }], { subjects: own, entries: fresh });
    await replaceEntries(tx, own, old, fresh);
    return { before: inOrder(before), after: inOrder(await findByKeys(tx, [{ keys, sketch: null }])) };
  });
}

const inOrder = (found: Map<number, Hit[]>): Map<number, Hit[]> =>
  new Map([...found].map(([key, hits]) => [key, hits.toSorted((a, b) => (subjectKey(a) < subjectKey(b) ? -1 : 1))]));

const someKeys = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 4 });
const subject: fc.Arbitrary<{ subject: Subject; old: number[] | null; fresh: number[] | null }> = fc.record({
  subject: fc.record({
    kind: fc.constantFrom('SOURCE_PATIENT' as const, 'ROSTER_PATIENT' as const),
    id: fc.integer({ min: 1, max: 9 }).map(String),
  }),
  old: fc.option(someKeys),
  fresh: fc.option(someKeys),
});

test('entries that are yet to be written are found as if they were', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(subject, { selector: (each) => subjectKey(each.subject), maxLength: 8 }),
      fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 }),
      async (given, keys) => {
        const entriesOf = (which: 'old' | 'fresh'): Entries =>
          new Map(given.flatMap((each) => (each[which] ? [[subjectKey(each.subject), entry(...each[which])]] : [])));
        const own = given.flatMap((each) => (each.fresh ? [each.subject] : []));
        const all = given.map((each) => each.subject);
        const { before, after } = await beforeAndAfter(all, own, entriesOf('old'), entriesOf('fresh'), keys);
        expect(before).toEqual(after);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  { others: MOST_HITS - 1, leaving: 0, joining: 1, isFound: true },
  { others: MOST_HITS, leaving: 0, joining: 1, isFound: false },
  { others: MOST_HITS - 1, leaving: 300, joining: 1, isFound: true },
  { others: MOST_HITS + 1, leaving: 300, joining: 0, isFound: false },
])('$others others with $leaving who leave a key and $joining who join it', async (of) => {
  const KEY = 7;
  // Those who leave come first in the index.
  const leaving = Array.from({ length: of.leaving }, (_, n) => rosterRow(n + 1));
  const others = Array.from({ length: of.others }, (_, n) => rosterRow(1000 + n));
  const joining = Array.from({ length: of.joining }, (_, n) => rosterRow(9000 + n));
  const old = new Map([...leaving, ...others].map((each) => [subjectKey(each), entry(KEY)]));
  const fresh = new Map([
    ...leaving.map((each) => [subjectKey(each), entry(8)] as const),
    ...joining.map((each) => [subjectKey(each), entry(KEY)] as const),
  ]);
  const own = [...leaving, ...joining];
  const { before, after } = await beforeAndAfter([...leaving, ...others], own, old, fresh, [KEY]);
  expect(before).toEqual(after);
  expect(before.has(KEY)).toBe(of.isFound);
});

test('a sketch that an earlier version stored is not read', async () => {
  const one = rosterRow(1);
  const sketch = Buffer.alloc(SKETCH_BYTES - 8, 1);
  const found = await withIndex([], NONE, async (tx) => {
    await tx.query('insert into blocking_keys (key, subject) values (3, 1)');
    await tx.query(`insert into blocking_entries (subject, keys, sketch) values (1, '{3}', $1)`, [sketch]);
    return { hits: await findByKeys(tx, [{ keys: [3], sketch: null }]), entries: await loadEntries(tx, [one]) };
  });
  expect(found.hits.get(3)).toEqual([{ ...one, sketch: null, isInReview: false }]);
  expect(found.entries.get(subjectKey(one))).toEqual({ keys: [3], sketch: null });
});

test.each([
  { others: MOST_HITS - 1, most: 'few', found: 'all' },
  { others: MOST_HITS, most: 'many', found: 'alike' },
  { others: 10 * MOST_HITS + 2, most: 'too many', found: 'nobody' },
])('of those who share a birth date with $most, $found are found', async ({ others, found }) => {
  const born = (given: string, family: string): Entry =>
    entryOf(normalize({ ...NOBODY, given, family, birthDate: '1941-03-14' }));
  const [sameGiven, sameFamily, newcomer] = [1, 2, 3].map(rosterRow) as [Subject, Subject, Subject];
  const entries = new Map([
    [subjectKey(sameGiven), born('Adaeze', 'Blackfeather')],
    [subjectKey(sameFamily), born('Ngozi', 'Okonkwo')],
  ]);
  const asked = born('Adaeze', 'Okonkwo');
  const key = hashOfKey('D:19410314');
  const stranger = born('Teuvo', 'Lahtinen').sketch;
  const hits = await withIndex([sameGiven, sameFamily], entries, async (tx) => {
    await tx.query('insert into blocking_keys (key, subject) select $1, n from generate_series(10, $2::int) n', [
      key,
      others + 7,
    ]);
    await tx.query(
      `insert into blocking_entries (subject, keys, sketch) select n, '{}', $1 from generate_series(10, $2::int) n`,
      [stranger, others + 7],
    );
    const unwritten = { subjects: [newcomer], entries: new Map([[subjectKey(newcomer), asked]]) };
    return (await findByKeys(tx, [asked], unwritten)).get(key) ?? [];
  });
  const ids = hits.map(({ id }) => Number(id)).toSorted((a, b) => a - b);
  if (found === 'all') expect(ids).toHaveLength(others + 1);
  else expect(ids).toEqual(found === 'alike' ? [1, 2, 3] : []);
});
