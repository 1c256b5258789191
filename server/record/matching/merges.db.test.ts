import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { undoDecidedLink } from '#server/record/reviews/joined-subjects.ts';
import { ADAEZE, identify, NGOZI, subjectsForTests, TEUVO } from '#server/testing/subjects.ts';
import { mergeSourcePatients } from './merges.ts';
import { createPersons } from './queries.ts';
import { personOf as personIn, relink } from './relink.ts';

const { db, ids, listing, now, openReviews, patient, personOf, run } = await subjectsForTests();

test('a merged record number follows the surviving one, now and later', async () => {
  const { prior, surviving } = await run(async (tx) => {
    const prior = await patient(tx, TEUVO);
    const surviving = await patient(tx, ADAEZE);
    await identify(tx, prior, { now });
    await identify(tx, surviving, { now });
    await mergeSourcePatients(tx, [{ priorId: prior.id, survivingId: surviving.id }], { now });
    await mergeSourcePatients(tx, [{ priorId: prior.id, survivingId: surviving.id }], { now });
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

const ADAEZE_WHO_MOVED = { ...ADAEZE, line1: '4 Quay Road', zip: '30303' };

test('a listing that a person linked to the prior number goes with it, and undoing that decision takes it back', async () => {
  const { listed, prior, surviving } = await run(async (tx) => {
    const listed = await listing(tx, NGOZI);
    const prior = await patient(tx, ADAEZE);
    const surviving = await patient(tx, ADAEZE_WHO_MOVED);
    for (const subject of [listed, prior, surviving]) await identify(tx, subject, { now });
    await relink(tx, listed, await personIn(tx, prior), {
      decidedBy: ids.userId,
      now,
      outcome: 'decided',
      ruleId: null,
      evidence: {},
    });
    await mergeSourcePatients(tx, [{ priorId: prior.id, survivingId: surviving.id }], { now });
    return { listed, prior, surviving };
  });
  expect(await personOf(listed)).toBe(await personOf(surviving));
  const { rows } = await db.query<{ id: string; outcome: string; decided_by: string }>(sql`
    select id, outcome, decided_by from person_links where subject = 'ROSTER_PATIENT' and subject_id = ${listed.id} order by id desc limit 1`);
  expect(rows).toMatchObject([{ outcome: 'decided', decided_by: ids.userId }]);
  await run((tx) => undoDecidedLink(tx, listed, rows[0]?.id ?? '', { decidedBy: ids.userId, now }));
  expect(await personOf(listed)).not.toBe(await personOf(prior));
});

test('a listing goes with the prior number, and stays there as long as nothing contradicts it', async () => {
  const { listed, surviving } = await run(async (tx) => {
    const listed = await listing(tx, ADAEZE);
    const prior = await patient(tx, ADAEZE);
    const surviving = await patient(tx, ADAEZE_WHO_MOVED);
    for (const subject of [listed, prior, surviving]) await identify(tx, subject, { now });
    await mergeSourcePatients(tx, [{ priorId: prior.id, survivingId: surviving.id }], { now });
    return { listed, surviving };
  });
  expect(await personOf(listed)).toBe(await personOf(surviving));
  await run((tx) => identify(tx, listed, { now }));
  await run((tx) => identify(tx, surviving, { now }));
  expect(await personOf(listed)).toBe(await personOf(surviving));
  expect(await openReviews()).toEqual([]);
});

test('a listing of which a person decided that it is not the surviving number’s patient does not go there', async () => {
  const { listed, prior, surviving } = await run(async (tx) => {
    const listed = await listing(tx, ADAEZE);
    const prior = await patient(tx, ADAEZE);
    const surviving = await patient(tx, ADAEZE_WHO_MOVED);
    for (const subject of [listed, prior, surviving]) await identify(tx, subject, { now });
    const options = { decidedBy: ids.userId, now, ruleId: null, evidence: {} };
    const [own, other] = [await personIn(tx, listed), await personIn(tx, surviving)];
    await relink(tx, listed, other, { ...options, outcome: 'matched' });
    const [link] = (await tx.query<{ id: string }>('select max(id) as id from person_links')).rows;
    await undoDecidedLink(tx, listed, link?.id ?? '', { decidedBy: ids.userId, now });
    expect(await personIn(tx, listed)).toBe(own);
    await mergeSourcePatients(tx, [{ priorId: prior.id, survivingId: surviving.id }], { now });
    return { listed, prior, surviving };
  });
  expect(await personOf(prior)).toBe(await personOf(surviving));
  expect(await personOf(listed)).not.toBe(await personOf(surviving));
});

test('a listing whose Medicare number differs from the surviving one’s waits for review', async () => {
  const { listed, prior, surviving } = await run(async (tx) => {
    const listed = await listing(tx, ADAEZE);
    const prior = await patient(tx, ADAEZE);
    const surviving = await patient(tx, ADAEZE_WHO_MOVED);
    await tx.query(sql`update roster_patients set medicare_id = '3HH7VV6XW58' where id = ${listed.id}`);
    await tx.query(sql`
      update source_patients set demographics = demographics || '{"medicareId": "9XQ2AA4QA27"}' where id = ${surviving.id}`);
    for (const subject of [listed, prior, surviving]) await identify(tx, subject, { now });
    await mergeSourcePatients(tx, [{ priorId: prior.id, survivingId: surviving.id }], { now });
    return { listed, prior, surviving };
  });
  expect(await personOf(prior)).toBe(await personOf(surviving));
  expect(await personOf(listed)).not.toBe(await personOf(surviving));
  expect(await openReviews()).not.toEqual([]);
});
