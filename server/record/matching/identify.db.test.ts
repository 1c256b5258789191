import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOfKey } from '#server/record/scoring/key-hashes.ts';
import { ADAEZE, ADAEZE_WITHOUT_ADDRESS, identify, NGOZI, subjectsForTests, TEUVO } from '#server/testing/subjects.ts';
import { relink } from './relink.ts';
import type { Subject } from './subjects.ts';

const { changeDemographics, db, encounter, ids, listing, now, openReviews, patient, personOf, run } =
  await subjectsForTests();

test('a hospital patient is linked to the roster row with the same name, birth date and address', async () => {
  const { listed, answer } = await run(async (tx) => {
    const listed = await listing(tx, ADAEZE);
    await identify(tx, listed, { now });
    const source = await patient(tx, { ...ADAEZE, given: 'ADAEZE', family: 'OKONKWO REYES', line1: '12 Heron Ln' });
    return { listed, answer: await identify(tx, source, { now }) };
  });
  expect(answer).toMatchObject({ outcome: 'matched', changed: true, personId: await personOf(listed) });
  const { rows } = await db.query<{ outcome: string; rule_id: string; evidence: object }>(
    sql`select outcome, rule_id, evidence from person_links where subject = 'SOURCE_PATIENT'`,
  );
  expect(rows).toMatchObject([{ outcome: 'matched', rule_id: 'score', evidence: { version: expect.any(String) } }]);
  expect(JSON.stringify(rows)).not.toMatch(/heron|adaeze|1941/i);
});

test('strangers get persons of their own', async () => {
  const [a, b] = await run(async (tx) => {
    const listed = await listing(tx, ADAEZE);
    const source = await patient(tx, TEUVO);
    return [await identify(tx, listed, { now }), await identify(tx, source, { now })];
  });
  expect(a?.outcome).toBe('new');
  expect(b?.outcome).toBe('new');
  expect(a?.personId).not.toBe(b?.personId);
});

test('the same name and birth date with nothing else in common go to review', async () => {
  const [first, second] = await run(async (tx) => {
    const listed = await listing(tx, ADAEZE_WITHOUT_ADDRESS);
    const source = await patient(tx, ADAEZE_WITHOUT_ADDRESS);
    return [await identify(tx, listed, { now }), await identify(tx, source, { now })];
  });
  expect(second?.outcome).toBe('review');
  expect(second?.personId).not.toBe(first?.personId);
  expect(await openReviews()).toHaveLength(1);
});

test('with twins on a roster the hospital patient is linked by the exact name, else goes to review, in any order', async () => {
  const typed = { ...ADAEZE, given: 'Adeaze' };
  for (const [arriving, people] of [
    [ADAEZE, 2],
    [typed, 3],
  ] as const) {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [0, 2, 1],
      [2, 1, 0],
    ]) {
      await db.query(
        'truncate source_patients, roster_patients, blocking_keys, blocking_entries, match_reviews, person_links cascade',
      );
      const subjects = await run(async (tx) => {
        const all = [await listing(tx, ADAEZE), await listing(tx, NGOZI), await patient(tx, arriving)];
        for (const index of order) await identify(tx, all[index] as Subject, { now });
        return all;
      });
      const [adaeze, ngozi, patientOf] = await Promise.all(subjects.map(personOf));
      expect(new Set([adaeze, ngozi, patientOf]).size, order.join()).toBe(people);
      expect(patientOf === adaeze, order.join()).toBe(people === 2);
      if (people === 3) expect(await openReviews(), order.join()).not.toHaveLength(0);
    }
  }
});

test('the order of arrival does not change who is linked', async () => {
  const elsewhere = { ...TEUVO, phone: '585-774-2231' };
  const make = [
    (tx: Transaction) => listing(tx, ADAEZE),
    (tx: Transaction) => patient(tx, { ...ADAEZE, given: 'Adaeze ' }),
    (tx: Transaction) => patient(tx, TEUVO),
    (tx: Transaction) => listing(tx, elsewhere),
    // One list doesn't have one person twice.
    (tx: Transaction) => listing(tx, { ...ADAEZE, family: 'Okonkwo-Reies' }, { groupId: ids.hospital }),
  ];
  const anyOrder = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
  await fc.assert(
    fc.asyncProperty(anyOrder, async (order) => {
      await db.query(
        'truncate source_patients, roster_patients, blocking_keys, blocking_entries, match_reviews, person_links cascade',
      );
      const made = new Map<number, Subject>();
      await run(async (tx) => {
        for (const index of order) {
          const subject = await make[index]?.(tx);
          if (subject === undefined) continue;
          made.set(index, subject);
          await identify(tx, subject, { now });
        }
      });
      const persons = await Promise.all([0, 1, 2, 3, 4].map(async (index) => personOf(made.get(index) as Subject)));
      const [a, b, c, d, e] = persons;
      expect([a === b, a === e, c === d, a === c], order.join()).toEqual([true, true, true, false]);
      expect(await openReviews()).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test('the order of arrival does not change who is linked among many who are alike', async () => {
  const newborn = { given: 'Baby Boy', family: 'Ferrow', birthDate: TEUVO.birthDate, sex: TEUVO.sex, zip: '14620' };
  const makeAt = (index: number) => (tx: Transaction) =>
    index === 0 ? listing(tx, TEUVO) : patient(tx, index === 1 ? TEUVO : newborn);
  const indexes = Array.from({ length: 16 }, (_, index) => index);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(indexes, { minLength: 16 }), async (order) => {
      await db.query(
        'truncate source_patients, roster_patients, blocking_keys, blocking_entries, match_reviews, person_links cascade',
      );
      const made = new Map<number, Subject>();
      await run(async (tx) => {
        for (const index of order) {
          const subject = await makeAt(index)(tx);
          made.set(index, subject);
          await identify(tx, subject, { now });
        }
      });
      const [listed, teuvo, ...newborns] = await Promise.all(
        indexes.map((index) => personOf(made.get(index) as Subject)),
      );
      expect(teuvo, order.join()).toBe(listed);
      expect(new Set([teuvo, ...newborns]).size, order.join()).toBe(15);
      // The first of them is a candidate in the reviews of the others.
      expect(await openReviews()).toHaveLength(13);
    }),
    { numRuns: 10 },
  );
});

test('a link that no longer holds is removed, with the encounters, and made again when it holds again', async () => {
  const { source, listed } = await run(async (tx) => {
    const listed = await listing(tx, ADAEZE);
    await identify(tx, listed, { now });
    const source = await patient(tx, ADAEZE);
    await identify(tx, source, { now });
    return { source, listed };
  });
  const visit = await encounter(source);
  const apart = await run(async (tx) => {
    await changeDemographics(tx, source, TEUVO);
    return identify(tx, source, { now });
  });
  expect(apart).toMatchObject({ outcome: 'new', changed: true, movedEncounters: [visit] });
  expect(await personOf(source)).not.toBe(await personOf(listed));
  const again = await run(async (tx) => {
    await changeDemographics(tx, source, ADAEZE);
    return identify(tx, source, { now });
  });
  expect(again).toMatchObject({ outcome: 'matched', changed: true, movedEncounters: [visit] });
  expect(await personOf(source)).toBe(await personOf(listed));
});

test('identifying again without a change writes nothing', async () => {
  const source = await run(async (tx) => {
    const source = await patient(tx, ADAEZE);
    await identify(tx, source, { now });
    return source;
  });
  const before = await db.query('select * from person_links');
  const answer = await run((tx) => identify(tx, source, { now }));
  expect(answer.changed).toBe(false);
  expect((await db.query('select * from person_links')).rows).toEqual(before.rows);
});

test('a facility’s own listing does not count as a record, and moves with its source patient', async () => {
  const { own, source, listed } = await run(async (tx) => {
    const source = await patient(tx, ADAEZE);
    const own = await listing(tx, ADAEZE, { groupId: ids.hospital, memberId: source.recordNumber, hash: null });
    await tx.query(
      sql`update roster_patients set person_id = (select person_id from source_patients where id = ${source.id}) where id = ${own.id}`,
    );
    const first = await identify(tx, source, { now });
    expect(first.outcome).toBe('new');
    const listed = await listing(tx, ADAEZE);
    await identify(tx, listed, { now });
    return { own, source, listed };
  });
  expect(await personOf(source)).toBe(await personOf(listed));
  expect(await personOf(own)).toBe(await personOf(source));
  await run((tx) =>
    relink(tx, source, '1', { decidedBy: ids.userId, now, outcome: 'decided', ruleId: null, evidence: {} }),
  );
  expect(await personOf(own)).toBe('1');
});

test('a key that thousands of subjects share is not read and finds no one', async () => {
  await db.query(`insert into blocking_keys (key, subject)
    select ${hashOfKey('P:5857742231')}, -(100000 + n) from generate_series(1, 50000) n`);
  let read = 0;
  const answer = await run(async (tx) => {
    const subject = await patient(tx, { ...TEUVO, phone: '585-774-2231' });
    const counting = {
      ...tx,
      query: async (...args: [string]) => {
        const result = await tx.query(...args);
        read += result.rows.length;
        return result;
      },
    } as typeof tx;
    return identify(counting, subject, { now });
  });
  expect(answer.outcome).toBe('new');
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(1000);
});

test('two messages about the same new person at the same moment create one person', async () => {
  const [a, b] = await Promise.all([
    run(async (tx) => identify(tx, await patient(tx, ADAEZE), { now })),
    run(async (tx) => identify(tx, await patient(tx, ADAEZE), { now })),
  ]);
  expect(a.personId === b.personId || a.relinked.length + b.relinked.length > 0).toBe(true);
  const { rows } = await db.query('select distinct person_id from source_patients');
  expect(rows).toHaveLength(1);
});
