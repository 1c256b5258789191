/** A list that leaves out numbers may no longer say which twin a row is about. That is a question about the row, and takes nothing from others. */
import { expect, test } from 'vitest';
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type InventedPatient, identify, NGOZI, subjectsForTests, TEUVO } from '#server/testing/subjects.ts';
import { identifyAll } from './identify.ts';
import type { Subject } from './subjects.ts';

const { db, ids, listing, now, openReviews, patient, personOf, run } = await subjectsForTests();

const BY_NAME: InventedPatient = {
  given: 'Daniel',
  middle: 'Kwame',
  family: 'Copestead',
  birthDate: '1970-06-20',
  sex: 'Male',
  line1: '2499 Sawmill Road',
  zip: '49989',
};
const DANIEL: InventedPatient = { ...BY_NAME, ssnLast4: '0485' };
const HER_NAME: InventedPatient = { ...BY_NAME, given: 'Daniela', middle: '' };
const DANIELA: InventedPatient = { ...HER_NAME, ssnLast4: '6730' };

const LISTS = ['Lakeshore ACO', 'Northern Pines', 'Harborview'];

/** Returns three more groups with lists. */
async function programs(): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    insert into groups (organization_id, name, type, time_zone, created_at)
    select organization_id, l.name, 'PROGRAM', time_zone, created_at from groups, unnest(${LISTS}::text[]) as l (name)
    where id = ${ids.program} returning id`);
  return rows.map(({ id }) => id);
}

/** Both twins on three lists, and one of them at a hospital. `of`: the row of each list about him. */
async function twinsOnLists(): Promise<{ of: Subject[]; hers: Subject[]; stay: Subject }> {
  const [of, hers]: [Subject[], Subject[]] = [[], []];
  for (const groupId of await programs()) {
    of.push(await arrived((tx) => listing(tx, DANIEL, { groupId })));
    hers.push(await arrived((tx) => listing(tx, DANIELA, { groupId })));
  }
  return { of, hers, stay: await arrived((tx) => patient(tx, DANIEL)) };
}

const arrived = (make: (tx: Transaction) => Promise<Subject>): Promise<Subject> =>
  run(async (tx) => {
    const subject = await make(tx);
    await identify(tx, subject, { now });
    return subject;
  });

/** What a new file says of rows. */
const uploaded = (...rows: readonly (readonly [Subject | undefined, InventedPatient])[]) =>
  run(async (tx) => {
    for (const [row, { given, family, birthDate, line1 = null, ssnLast4 = null }] of rows)
      await tx.query(sql`
        update roster_patients set first_name = ${given}, last_name = ${family}, date_of_birth = ${birthDate}, address1 = ${line1},
          ssn_last4 = ${ssnLast4} where id = ${row?.id ?? null}`);
    const subjects = rows.flatMap(([row]) => row ?? []);
    await identifyAll(tx, subjects, { now });
  });

/** Which of the subjects are one person, as indexes of the first. */
async function persons(subjects: readonly Subject[]): Promise<number[]> {
  const found = await Promise.all(subjects.map(personOf));
  return found.map((person) => found.indexOf(person));
}

test('a list without its numbers takes no patient from lists that have them, and finds its own again with them', async () => {
  const { of, hers, stay } = await twinsOnLists();
  const all = [...of, stay, ...hers];
  const before = [0, 0, 0, 0, 4, 4, 4];
  expect(await persons(all)).toEqual(before);
  const [[, , his], [, , her]] = [of, hers];
  await uploaded([his, BY_NAME], [her, HER_NAME]);
  expect(await persons(all)).toEqual([0, 0, 2, 0, 4, 4, 6]);
  expect(await openReviews()).toHaveLength(2);
  await uploaded([his, DANIEL], [her, DANIELA]);
  expect(await persons(all)).toEqual(before);
  expect(await openReviews()).toEqual([]);
});

test('those who were in doubt because of a wrong row are linked when it is corrected, although each of them waits for the others', async () => {
  const [first, ...groups] = await programs();
  const gone = await arrived((tx) => listing(tx, BY_NAME, { groupId: first ?? '' }));
  const rows = [];
  for (const groupId of groups) rows.push(await arrived((tx) => listing(tx, BY_NAME, { groupId })));
  const all = [...rows, await arrived((tx) => patient(tx, BY_NAME))];
  // Of whom all were linked to, only they are left.
  await uploaded([gone, TEUVO]);
  expect(await persons(all)).toEqual([0, 0, 0]);
  const wrong = await arrived((tx) => listing(tx, { ...BY_NAME, ssnLast4: '1111' }, { groupId: groups[0] ?? '' }));
  expect(await persons(all)).toEqual([0, 1, 2]);
  await uploaded([wrong, NGOZI]);
  expect(await persons(all)).toEqual([0, 0, 0]);
  expect(await openReviews()).toEqual([]);
});
