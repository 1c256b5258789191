import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { undoDecidedLink } from '#server/record/reviews/joined-subjects.ts';
import { ADAEZE, identify, subjectsForTests, TEUVO } from '#server/testing/subjects.ts';
import { createPersons } from './queries.ts';
import { relink } from './relink.ts';

const { db, encounter, ids, listing, now, patient, personIds, personOf, run } = await subjectsForTests();

test('undoing a link moves back exactly what it moved, and the matcher does not make it again', async () => {
  const { source } = await run(async (tx) => {
    const source = await patient(tx, ADAEZE);
    await identify(tx, source, { now });
    return { source };
  });
  await encounter(source);
  const before = await personIds();
  const listed = await run(async (tx) => {
    const listed = await listing(tx, TEUVO);
    await identify(tx, listed, { now });
    return listed;
  });
  const target = await personOf(listed);
  const moved = await run((tx) =>
    relink(tx, source, target, { decidedBy: null, now, outcome: 'matched', ruleId: 'R01', evidence: {} }),
  );
  expect(moved).toMatchObject([{ to: target, encounterIds: [expect.any(String)] }]);
  await run((tx) => undoDecidedLink(tx, source, moved[0]?.linkId ?? '', { decidedBy: ids.userId, now }));
  await db.query(sql`delete from roster_patients where id = ${listed.id}`);
  expect(await personIds()).toEqual(before);
  await run(async (tx) => {
    const twin = await listing(tx, ADAEZE);
    await identify(tx, twin, { now });
    await identify(tx, source, { now });
  });
  expect(await personOf(source)).toBe(before[0]?.person_id);
});

test('a link that is no longer in force cannot be undone', async () => {
  await run(async (tx) => {
    const source = await patient(tx, ADAEZE);
    await identify(tx, source, { now });
    const [one] = await relink(tx, source, (await createPersons(tx, 1, now))[0] ?? '', {
      decidedBy: null,
      now,
      outcome: 'decided',
      ruleId: null,
      evidence: {},
    });
    await undoDecidedLink(tx, source, one?.linkId ?? '', { decidedBy: ids.userId, now });
    await expect(undoDecidedLink(tx, source, one?.linkId ?? '', { decidedBy: ids.userId, now })).rejects.toThrow(
      'newer link',
    );
  });
});
