import { beforeEach, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { identifyAll } from '#server/record/matching/identify.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import { type InventedPatient, subjectsForTests } from '#server/testing/subjects.ts';
import { countLists, proposeSnapshot } from './freeze-snapshot.ts';
import { proposeNumbers } from './propose-numbers.ts';
import { proposalReport, snapshotReport } from './report.ts';

const { db, ids, listing, now, patient, run } = await subjectsForTests();
beforeEach(() => db.query('truncate list_snapshots restart identity'));

const PEOPLE = 120;
const FAMILIES = ['Varnholt', 'Szekeres', 'Oyelaran', 'Brightwater', 'Kuznetsova', 'Delacroix', 'Hamasaki', 'Ferreira'];
const GIVEN = ['Ottilie', 'Bertram', 'Yewande', 'Cosmo', 'Ludmila', 'Thaddeus', 'Ingeborg'];

/** Everyone is listed and arrives once. Of every fourth, the phone is another one. */
const someone = (n: number): InventedPatient => ({
  given: GIVEN[n % GIVEN.length] ?? '',
  family: FAMILIES[n % FAMILIES.length] ?? '',
  birthDate: `19${30 + (n % 60)}-0${1 + (n % 9)}-1${n % 10}`,
  sex: n % 2 ? 'Male' : 'Female',
  zip: String(14_600 + (n % 5)),
  line1: `${100 + 7 * n} Heron Lane`,
  phone: `585-774-${1000 + 13 * n}`,
});

const fill = (): Promise<Subject[]> =>
  run(async (tx) => {
    const subjects: Subject[] = [];
    for (let n = 0; n < PEOPLE; n++) {
      const arriving = n % 4 === 0 ? { ...someone(n), phone: `212-334-${1000 + 13 * n}` } : someone(n);
      subjects.push(await listing(tx, someone(n)), await patient(tx, arriving));
    }
    await identifyAll(tx, subjects, { now });
    return subjects;
  });

const propose = () => db.transaction(proposeNumbers, { readOnly: true, isolation: 'repeatable read' });

test('the numbers are estimated from stored records, and nothing is written', async () => {
  await fill();
  const { samples, numbers } = await propose();
  expect(samples).toMatchObject([
    { matches: PEOPLE, decided: 0, isComplete: true },
    { matches: PEOPLE, decided: 0, isComplete: true },
  ]);
  const number = (field: string, level: string) => numbers.find((each) => each.field === field && each.level === level);
  expect(number('phone', 'differs')).toMatchObject({
    estimated: expect.closeTo(0.25, 2),
    pairs: PEOPLE / 4,
    of: PEOPLE,
  });
  expect(number('given', 'exact')).toMatchObject({ estimated: expect.closeTo(1, 2), pairs: PEOPLE, isFar: false });
  expect(number('birthDate', 'exact')).toMatchObject({ estimated: expect.closeTo(1, 2), of: PEOPLE });
  expect(number('email', 'exact')).toMatchObject({ estimated: null, of: 0, isFar: false });
});

test('what people decided counts, until it is undone', async () => {
  const [listed, arrived] = await fill();
  const { rows } = await db.query<{ reviewId: string; linkId: string; personId: string }>(sql`
    with review as (
      insert into match_reviews (subject, subject_id, group_id, candidates, created_at)
      values ('SOURCE_PATIENT', ${arrived?.id}, ${ids.hospital}, '[]', ${now}) returning id)
    insert into labeled_pairs (review_id, link_id, person_id, outcome, evidence, decided_at, decided_by)
    select review.id, l.id, r.person_id, 'DIFFERENT', '{}', ${now}, ${ids.userId}
    from review, person_links l, roster_patients r
    where l.subject = 'SOURCE_PATIENT' and l.subject_id = ${arrived?.id} and r.id = ${listed?.id}
    returning review_id as "reviewId"`);
  expect(rows).toHaveLength(1);
  expect((await propose()).samples).toMatchObject([
    { matches: PEOPLE - 1, decided: 1 },
    { matches: PEOPLE - 1, decided: 1 },
  ]);
  await db.query(sql`update labeled_pairs set undone_at = ${now}, undone_by = ${ids.userId}`);
  expect((await propose()).samples).toMatchObject([
    { matches: PEOPLE, decided: 0 },
    { matches: PEOPLE, decided: 0 },
  ]);
});

test('an installation without records gets an empty proposal', async () => {
  const { samples, numbers } = await propose();
  expect(samples).toMatchObject([
    { pairs: 0, matches: 0 },
    { pairs: 0, matches: 0 },
  ]);
  expect(numbers.every(({ estimated, isFar }) => estimated === null && !isFar)).toBe(true);
});

test('no patient data is printed, and names only if a hundred people have them', async () => {
  await fill();
  const report = proposalReport(await propose());
  expect(report).toMatch(/phone differs +0\.35 +0\.25 +30 of 120/);
  const snapshot = proposeSnapshot(await run(countLists), null);
  const people = new Map([
    ['OYELARAN', 99],
    ['VARNHOLT', 100],
  ]);
  const larger = proposeSnapshot({ people: 1000, given: new Map(), family: people, housemates: 1 }, null);
  const printed = `${report}\n${snapshotReport(snapshot)}\n${snapshotReport(larger)}`;
  for (const word of [...FAMILIES, ...GIVEN, 'Heron', '585', '146'])
    expect(printed.includes(word.toUpperCase()), word).toBe(word === 'Varnholt');
});
