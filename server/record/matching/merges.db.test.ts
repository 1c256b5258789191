import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { ADAEZE, subjectsForTests, TEUVO } from '#server/testing/subjects.ts';
import { identify } from './identify.ts';
import { mergeSourcePatients } from './merges.ts';
import { createPersons } from './queries.ts';
import { relink } from './relink.ts';

const { db, ids, now, patient, personOf, run } = await subjectsForTests();

test('a merged record number follows the surviving one, now and later', async () => {
  const { prior, surviving } = await run(async (tx) => {
    const prior = await patient(tx, TEUVO);
    const surviving = await patient(tx, ADAEZE);
    await identify(tx, prior, { now });
    await identify(tx, surviving, { now });
    await mergeSourcePatients(tx, prior.id, surviving.id, { now });
    await mergeSourcePatients(tx, prior.id, surviving.id, { now });
    await identify(tx, prior, { now });
    return { prior, surviving };
  });
  expect(await personOf(prior)).toBe(await personOf(surviving));
  const { rows } = await db.query(sql`select from person_links where outcome = 'merged'`);
  expect(rows).toHaveLength(1);
  await run(async (tx) => {
    const [person] = await createPersons(tx, 1, now);
    await relink(tx, surviving, person ?? '', {
      decidedBy: ids.userId,
      now,
      outcome: 'decided',
      ruleId: null,
      evidence: {},
    });
  });
  expect(await personOf(prior)).toBe(await personOf(surviving));
});
