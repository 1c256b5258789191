import { expect, test } from 'vitest';
import type { Transaction } from '#server/platform/database/pool.ts';
import { type InventedPatient, identify, subjectsForTests } from '#server/testing/subjects.ts';
import type { Subject } from './subjects.ts';

const { db, listing, now, openReviews, patient, personOf, run } = await subjectsForTests();

const BY_BIRTH: InventedPatient = {
  given: 'Walter',
  middle: 'Robert',
  family: 'Langstead',
  birthDate: '2003-11-15',
  sex: 'Male',
  line1: '3978 Alder Street, Apt 11',
  zip: '49986',
};
const WITH_NUMBER: InventedPatient = { ...BY_BIRTH, ssnLast4: '7510' };
const LISTED: InventedPatient = { ...WITH_NUMBER, given: 'Walt' };

/** Returns all orders of the elements. */
const ordersOf = <T>(elements: readonly T[]): T[][] =>
  elements.length === 0
    ? [[]]
    : elements.flatMap((first, index) => ordersOf(elements.toSpliced(index, 1)).map((rest) => [first, ...rest]));

type Make = (tx: Transaction) => Promise<Subject>;

/** Identifies subjects in an order of arrival. Returns which of them are one person, as indexes of the first, and how many reviews are open. */
async function arrive(make: readonly Make[], order: readonly number[]) {
  // Of so few rows faster than truncate.
  await db.query(`delete from blocking_keys; delete from blocking_entries; delete from match_reviews; delete from person_links;
    delete from roster_patients; delete from source_patients`);
  const made = await run(async (tx) => {
    const made = new Map<number, Subject>();
    for (const index of order) {
      const subject = await (make[index] as Make)(tx);
      made.set(index, subject);
      await identify(tx, subject, { now });
    }
    return made;
  });
  const persons = await Promise.all(make.map((_, index) => personOf(made.get(index) as Subject)));
  return { persons: persons.map((person) => persons.indexOf(person)), reviews: (await openReviews()).length };
}

test('a record that links someone who waits in review to whom they wait for links all three, in any order of arrival', async () => {
  const make: Make[] = [
    (tx) => listing(tx, LISTED),
    (tx) => patient(tx, BY_BIRTH),
    (tx) => patient(tx, WITH_NUMBER),
    (tx) => patient(tx, BY_BIRTH),
  ];
  // A nickname at one address is not enough for a link.
  expect(await arrive(make.slice(0, 2), [0, 1])).toEqual({ persons: [0, 1], reviews: 1 });
  for (const order of ordersOf([0, 1, 2, 3]))
    expect(await arrive(make, order), order.join()).toEqual({ persons: [0, 0, 0, 0], reviews: 0 });
});

test('a twin keeps all of them in review, whoever arrives first', async () => {
  const make: Make[] = [
    (tx) => listing(tx, LISTED),
    (tx) => patient(tx, BY_BIRTH),
    (tx) => patient(tx, WITH_NUMBER),
    (tx) => patient(tx, { ...BY_BIRTH, given: 'Wanda' }),
  ];
  for (const order of ordersOf([0, 1, 2, 3]))
    expect((await arrive(make, order)).persons, order.join()).toEqual([0, 1, 2, 3]);
});
