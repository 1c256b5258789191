/** The index is written while others are decided about. If that fails, nothing of the rest may happen outside the transaction. */
import { expect, test } from 'vitest';
import { subjectsForTests } from '#server/testing/subjects.ts';
import { identifyAll } from './identify.ts';
import type { Subject } from './subjects.ts';

const { db, listing, now, run } = await subjectsForTests();

const letters = (n: number): string => [...String(n)].map((digit) => 'ABEDOFIGUH'.charAt(Number(digit))).join('');

test('a failure to write the index ends the transaction once no one is being decided about', async () => {
  const subjects = await run(async (tx) => {
    const made: Subject[] = [];
    for (let n = 100; n < 700; n += 1) {
      const [given, family] = [`${letters(n)}rin`, `Mar${letters(n * 7)}`];
      made.push(await listing(tx, { given, family, birthDate: `19${n % 90 < 10 ? 10 : n % 90}-03-04`, sex: 'Female' }));
    }
    // The last of them need persons of their own, which are made while they are decided about.
    await tx.query(`update roster_patients set person_id = 600 where id > 550`);
    return made;
  });
  await db.query(
    `create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'Full'; end $$`,
  );
  await db.query('create trigger refuses before insert on blocking_keys for each statement execute function refuse()');
  const persons = async () => (await db.query<{ n: number }>('select count(*)::int as n from persons')).rows[0]?.n;
  const before = await persons();
  await expect(run((tx) => identifyAll(tx, subjects, { now }))).rejects.toThrow('Full');
  await db.query('select pg_sleep(0.3)');
  expect(await persons()).toBe(before);
});
