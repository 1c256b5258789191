/** Guesses by hand: how many different details of one person an organization enters, in whatever spelling. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identifyAll } from '#server/record/matching/identify.ts';
import { isSamePerson } from '#server/record/matching/look-up-person.ts';
import { personsNear } from '#server/record/matching/near-persons.ts';
import { type Demographics, normalize } from '#server/record/scoring/demographics.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { NOBODY } from '#server/testing/invented-people.ts';
import { noteEntry } from './identity-attempts.ts';

const { pipeline: db } = await testDatabase();
const NOW = new Date('2026-11-23T15:00:00Z');
const make = factories(db, () => NOW);

const TRUTH: Demographics = {
  ...NOBODY,
  given: 'Nikhil',
  family: 'Venkatesan',
  birthDate: '1961-03-14',
  sex: 'Female',
  zip: '53703',
  ssnLast4: '5017',
};

/** Lists the person at a program of another organization, and returns the person's id. */
async function list(truth: Demographics): Promise<string> {
  const { id: groupId } = await make.group({ type: 'PROGRAM' });
  const { id } = await make.rosterPatient({
    groupId,
    first_name: truth.given ?? '',
    last_name: truth.family ?? '',
    date_of_birth: truth.birthDate ?? '',
    gender: truth.sex ?? '',
    zip: truth.zip,
    ssn_last4: truth.ssnLast4,
    content_hash: Buffer.from(randomUUID()),
  });
  await db.transaction((tx) => identifyAll(tx, [{ kind: 'ROSTER_PATIENT', id }], { now: NOW }));
  const { rows } = await db.query<{ personId: string }>(
    `select person_id as "personId" from roster_patients where id = ${id}`,
  );
  return rows[0]?.personId ?? '';
}

const personId = await list(TRUTH);

/** Enters someone as `refuseGuesses` does. */
async function enter(groupId: string, given: Demographics, now = NOW): Promise<boolean> {
  const person = normalize(given);
  const near = await personsNear(db, person, groupId);
  return db.transaction((tx) => noteEntry(tx, { groupId, recordNumber: randomUUID(), person, near }, now));
}

const facility = async (): Promise<string> => (await make.group({ type: 'SNF', facilityType: 'SNF' })).id;

/** One slip of the fingers: a letter more, less, another one, or two the other way round. */
const typo = fc.record({ at: fc.nat(9), how: fc.nat(3), letter: fc.constantFrom(...'BDFGHKLMNPRSTVZ') });
function mistyped(name: string, slips: readonly { at: number; how: number; letter: string }[]): string {
  return slips.reduce((word, { at: place, how, letter }) => {
    const at = place % word.length;
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    const typed = [
      head + letter + tail,
      head + tail.slice(1),
      head + letter + tail.slice(1),
      head + tail.charAt(1) + tail.charAt(0) + tail.slice(2),
    ];
    return typed[how] ?? word;
  }, name.toUpperCase());
}

const spelling = fc.record({
  given: fc.array(typo, { maxLength: 2 }),
  family: fc.array(typo, { maxLength: 2 }),
  isSwapped: fc.boolean(),
  known: fc.constantFrom<readonly (keyof Demographics)[]>(['zip'], ['ssnLast4'], ['zip', 'ssnLast4']),
});

test('of a person whom the matcher would find, in any spelling, three birth dates are entered a day, not the fourth', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(spelling, { minLength: 12, maxLength: 12 }), async (spellings) => {
      const rows = spellings.map(({ given, family, isSwapped, known }, n): Demographics => {
        const names = [mistyped('Nikhil', given), mistyped('Venkatesan', family)];
        const [first = '', last = ''] = isSwapped ? names.reverse() : names;
        const rest = Object.fromEntries(known.map((field) => [field, TRUTH[field]]));
        return {
          ...NOBODY,
          sex: TRUTH.sex,
          given: first,
          family: last,
          ...rest,
          birthDate: `19${40 + n}-0${(n % 8) + 1}-2${n % 9}`,
        };
      });
      const found: Demographics[] = [];
      for (const row of rows) {
        if (await isSamePerson(db, { ...row, birthDate: TRUTH.birthDate }, personId)) found.push(row);
      }
      if (found.length < 4) return;
      compared += 1;
      const groupId = await facility();
      const [right, ...wrong] = found;
      let accepted = 0;
      for (const row of wrong.slice(0, 3)) accepted += Number(await enter(groupId, row));
      expect(accepted).toBeLessThanOrEqual(3);
      if (accepted === 3)
        expect(await enter(groupId, { ...(right as Demographics), birthDate: TRUTH.birthDate })).toBe(false);
    }),
    { numRuns: 60 },
  );
  expect(compared).toBeGreaterThan(20);
});

test('SSN digits and ZIP codes of one person are counted like birth dates', async () => {
  const given = ['Nikhil', 'Pikhil', 'Nikkhil', 'Nikhils'];
  const right = { ...TRUTH, ssnLast4: null, zip: null };
  for (const [field, values] of [
    ['ssnLast4', ['1402', '8362', '7719', '5017']],
    ['zip', ['10013', '20745', '30318', '53703']],
  ] as const) {
    const groupId = await facility();
    const answers = [];
    const other = field === 'zip' ? { ssnLast4: TRUTH.ssnLast4 } : { zip: TRUTH.zip };
    for (const [n, value] of values.entries())
      answers.push(await enter(groupId, { ...right, ...other, given: given[n] ?? '', [field]: value }));
    expect(answers, field).toEqual([true, true, true, false]);
  }
});

test('people with other names are not counted, nor is whom the organization lists; a day later an entry is possible again', async () => {
  const groupId = await facility();
  const wrong = (n: number, given: string): Demographics => ({ ...TRUTH, given, birthDate: `19${50 + n}-05-1${n}` });
  for (const [n, given] of ['Pikhil', 'Fikhil', 'Nikhils'].entries())
    expect(await enter(groupId, wrong(n, given))).toBe(true);
  expect(await enter(groupId, wrong(4, 'Nikkhil'))).toBe(false);
  expect(await enter(groupId, { ...TRUTH, given: 'Rosalind', family: 'Okafor', ssnLast4: '9120' })).toBe(true);
  const later = new Date(NOW.getTime() + 25 * 3_600_000);
  expect(await enter(groupId, { ...wrong(5, 'Nikihl'), ssnLast4: null }, later)).toBe(true);
  const own = await facility();
  expect(await personsNear(db, normalize(TRUTH), own)).toContainEqual({ personId, field: 'birthDate' });
  await make.rosterPatient({ groupId: own, personId });
  expect((await personsNear(db, normalize(TRUTH), own)).map((near) => near.personId)).not.toContain(personId);
});
