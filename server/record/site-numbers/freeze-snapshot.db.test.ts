import { beforeEach, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { newestSnapshot } from '#server/record/matching/list-snapshots.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import { MATCHER_VERSION } from '#server/record/scoring/decide.ts';
import { FEWEST_PEOPLE } from '#server/record/scoring/list-counts.ts';
import { type InventedPatient, identify, subjectsForTests } from '#server/testing/subjects.ts';
import { countLists, freezeSnapshot, proposeSnapshot } from './freeze-snapshot.ts';

const { db, listing, now, patient, personOf, run } = await subjectsForTests();
beforeEach(() => db.query('truncate list_snapshots restart identity'));

/** Common on the lists below, rare in the United States. */
const BIRGIT: InventedPatient = {
  given: 'Birgit',
  family: 'Ostravik',
  birthDate: '1951-08-09',
  sex: 'Female',
  zip: '14609',
};

/** Lists so many people of her name, each with another birth date, and for each some of other names. */
const listNamesakes = (people: number, others = 9): Promise<void> =>
  run(async (tx) => {
    for (let n = 0; n < people; n++) {
      const birthDate = `${1930 + n}-0${1 + (n % 9)}-1${n % 10}`;
      await listing(tx, { ...BIRGIT, birthDate, zip: String(20_000 + n) });
      for (let other = others * n; other < others * (n + 1); other++) {
        const letters = [...String(other)].map((digit) => 'AEIOUBCDFG'[Number(digit)]).join('');
        await listing(tx, { ...BIRGIT, given: `Tamsin${letters}`, family: `Quorl${letters}`, birthDate });
      }
    }
  });

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

test('people of one home raise the mean of housemates, and people are counted whether they are listed or not', async () => {
  const home = { ...BIRGIT, line1: '4 Quay Road' };
  await run(async (tx) => {
    for (const given of ['Birgit', 'Tamsin', 'Ngozi']) await listing(tx, { ...home, given });
    for (let n = 0; n < 297; n++) await listing(tx, { ...home, line1: `${n} Heron Lane` });
    await patient(tx, BIRGIT);
  });
  await freeze();
  // Three people with two others each, and 3 pairs for what was never seen.
  expect(await newest()).toEqual({ people: 300, persons: 301, housemates: 0.03 });
});

test('without addresses nothing is known about housemates, and relatives count as published', async () => {
  await run((tx) => listing(tx, BIRGIT));
  await freeze();
  expect(await newest()).toMatchObject({ people: 1, housemates: 2 });
});

const newest = async () =>
  (await db.query('select people, persons, housemates from list_snapshots order by number desc limit 1')).rows[0];

/** Processes tell snapshots apart by their time. */
let snapshots = 0;
const freeze = (): Promise<number> =>
  run(async (tx) => {
    const at = new Date(+now + ++snapshots * 1000);
    return freezeSnapshot(tx, proposeSnapshot(await countLists(tx), await newestSnapshot(tx)), at);
  });

/** Lists her, lets her arrive with ZIP code and birth date alone, and returns what became of it. */
const arrive = () =>
  run(async (tx) => {
    const [listed, arrived] = [await listing(tx, BIRGIT), await patient(tx, BIRGIT)];
    await identify(tx, listed, { now });
    const { outcome } = await identify(tx, arrived, { now });
    const { rows } = await tx.query<{ version: string }>(
      sql`select evidence ->> 'version' as version from person_links order by id desc limit 1`,
    );
    return { outcome, version: rows[0]?.version };
  });

test('a name that is common on the lists links with ZIP code and birth date alone, until its share is frozen', async () => {
  await listNamesakes(30);
  expect(await arrive()).toEqual({ outcome: 'matched', version: MATCHER_VERSION });
  await db.query('truncate source_patients, person_links, blocking_keys, blocking_entries, match_reviews cascade');
  await db.query('delete from roster_patients where date_of_birth = $1', [BIRGIT.birthDate]);
  const number = await freeze();
  expect(await arrive()).toEqual({ outcome: 'review', version: `${MATCHER_VERSION}.${number}` });
});

test('with a snapshot the order of arrival does not change who is linked', async () => {
  await listNamesakes(30, 19);
  await freeze();
  const atHome = { ...BIRGIT, line1: '4 Quay Road', phone: '585-774-2231' };
  for (const order of ORDERS) {
    await db.query(
      'truncate source_patients, roster_patients, person_links, blocking_keys, blocking_entries, match_reviews cascade',
    );
    const subjects = await run(async (tx) => {
      const all: Subject[] = [await listing(tx, atHome), await patient(tx, atHome), await patient(tx, BIRGIT)];
      for (const index of order) await identify(tx, all[index] as Subject, { now });
      return all;
    });
    const [listed, linked, waiting] = await Promise.all(subjects.map(personOf));
    expect(linked, order.join()).toBe(listed);
    expect(waiting, order.join()).not.toBe(listed);
  }
});

test('names of fewer than 20 people are not stored, and people count once however often they are listed', async () => {
  await listNamesakes(FEWEST_PEOPLE - 1, 1);
  await run(async (tx) => {
    const person = await personOf({ kind: 'ROSTER_PATIENT', id: await firstListing() });
    const again = await listing(tx, { ...BIRGIT, given: 'BIRGIT', family: 'Ostravik' });
    await tx.query(sql`update roster_patients set person_id = ${person} where id = ${again.id}`);
  });
  await freeze();
  expect(await stored()).toEqual({ people: 2 * (FEWEST_PEOPLE - 1), given: {}, family: {} });
  await run((tx) => listing(tx, BIRGIT));
  await freeze();
  const share = Math.round((FEWEST_PEOPLE / (2 * FEWEST_PEOPLE - 1)) * 1e6) / 1e6;
  expect(await stored()).toEqual({
    people: 2 * FEWEST_PEOPLE - 1,
    given: { BIRGIT: share },
    family: { OSTRAVIK: share },
  });
});

test('names that are more common in the United States keep their published share', async () => {
  await run(async (tx) => {
    for (let n = 0; n < 40; n++) await listing(tx, { ...BIRGIT, given: `Tamsin`, family: 'Quorl' });
  });
  const counts = await run(countLists);
  const people = 10_000;
  const [given, family] = [new Map([...counts.given, ['MARY', 40]]), new Map([...counts.family, ['SMITH', 40]])];
  const {
    given: shares,
    family: familyShares,
    changes,
  } = proposeSnapshot({ people, given, family, housemates: 1 }, null);
  expect([...shares]).toEqual([['TAMSIN', 0.004]]);
  expect([...familyShares]).toEqual([['QUORL', 0.004]]);
  expect(changes).toMatchObject([
    { name: 'QUORL', people: 40, after: 0.004 },
    { name: 'TAMSIN', people: 40, after: 0.004 },
  ]);
  const same = { given: shares, family: familyShares, housemates: 1 };
  expect(proposeSnapshot({ people, given, family, housemates: 1 }, same)).toMatchObject({ changes: [], isNew: false });
  expect(proposeSnapshot({ people, given, family, housemates: 0.5 }, same)).toMatchObject({ changes: [], isNew: true });
});

const firstListing = async (): Promise<string> =>
  (await db.query<{ id: string }>(sql`select min(id)::text as id from roster_patients where first_name = 'Birgit'`))
    .rows[0]?.id ?? '';

const stored = async () =>
  (
    await db.query(
      sql`select people, given_names as given, family_names as family from list_snapshots order by number desc limit 1`,
    )
  ).rows[0];
