import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { ADAEZE, ADAEZE_WITHOUT_ADDRESS, identify, subjectsForTests, TEUVO } from '#server/testing/subjects.ts';
import { applyDecision, listReviews, revertDecision } from './match-reviews.ts';
import type { Reviewer } from './queries.ts';

const { changeDemographics, db, encounter, ids, listing, now, openReviews, patient, personIds, personOf, run } =
  await subjectsForTests();

const make = () =>
  run(async (tx) => {
    const listed = await listing(tx, ADAEZE_WITHOUT_ADDRESS);
    await identify(tx, listed, { now });
    const source = await patient(tx, ADAEZE_WITHOUT_ADDRESS);
    await identify(tx, source, { now });
    return { listed, source };
  });
const page = { pageNumber: 1, pageSize: 20, order: 'likeliest' as const };
const operator = (over: Partial<Reviewer> = {}): Reviewer => ({
  userId: ids.userId,
  organizationId: '999',
  isOperator: true,
  groupIds: [ids.hospital],
  ...over,
});
const options = () => ({ reviewer: operator(), now });

/** The choice of a candidate of the only review that is open. */
async function to(candidateId: string | null) {
  const [review] = (await listReviews(db, operator(), page)).shown.reviews;
  return { candidateId, version: review?.version ?? '', onlyIfClear: false };
}

/** Returns the name of a review's only candidate. */
const candidateOf = async () => (await listReviews(db, operator(), page)).shown.reviews[0]?.candidates[0]?.id ?? '';

test('reviews are listed for their own facility only', async () => {
  await make();
  const none = { shown: { reviews: [], total: 0, oldestDate: null, revision: expect.any(String) }, personIds: [] };
  expect(await listReviews(db, operator({ groupIds: [ids.program] }), page)).toEqual(none);
  expect((await listReviews(db, operator(), page)).shown).toMatchObject({
    total: 1,
    reviews: [
      {
        record: { groupName: 'Alder Bay Hospital', values: { family: 'Okonkwo-Reyes' } },
        candidates: [{ reason: 'Same name and birth date.', record: { source: 'ROSTER', groupName: 'Heron ACO' } }],
      },
    ],
  });
});

test('a decision links and holds when demographics change; reverting it moves everything back and reopens the review', async () => {
  const { listed, source } = await make();
  await encounter(source);
  const before = await personIds();
  const [review = ''] = await openReviews();
  const candidate = await candidateOf();
  expect(await run(async (tx) => applyDecision(tx, review, await to('999'), options()))).toBeNull();
  expect(
    await run(async (tx) =>
      applyDecision(tx, review, await to(candidate), { reviewer: operator({ groupIds: [ids.program] }), now }),
    ),
  ).toBeNull();
  const moved = await run(async (tx) => applyDecision(tx, review, await to(candidate), options()));
  expect(moved).toMatchObject([{ encounterIds: [expect.any(String)] }]);
  expect(await personOf(source)).toBe(await personOf(listed));
  await run(async (tx) => {
    await changeDemographics(tx, source, TEUVO);
    expect((await identify(tx, source, { now })).changed).toBe(false);
    await changeDemographics(tx, source, ADAEZE_WITHOUT_ADDRESS);
    await identify(tx, source, { now });
  });
  await run((tx) => revertDecision(tx, review, options()));
  expect(await personIds()).toEqual(before);
  expect(await openReviews()).toEqual([review]);
});

test('a candidate without records can’t be chosen', async () => {
  const { listed, source } = await make();
  const before = await personOf(source);
  const [review = ''] = await openReviews();
  const candidate = await candidateOf();
  await run(async (tx) => {
    const elsewhere = await patient(tx, TEUVO);
    await tx.query(sql`
      update roster_patients set person_id = (select person_id from source_patients where id = ${elsewhere.id}) where id = ${listed.id}`);
  });
  await expect(run(async (tx) => applyDecision(tx, review, await to(candidate), options()))).rejects.toThrow();
  expect(await personOf(source)).toBe(before);
});

test('keeping a subject apart closes the review and holds against stronger evidence', async () => {
  const { listed, source } = await make();
  const [review = ''] = await openReviews();
  await run(async (tx) => applyDecision(tx, review, await to(null), options()));
  expect(await openReviews()).toEqual([]);
  await run(async (tx) => {
    await changeDemographics(tx, source, ADAEZE);
    await identify(tx, source, { now });
  });
  expect(await personOf(source)).not.toBe(await personOf(listed));
});

test('a review closes by itself when the demographics leave no doubt', async () => {
  const { listed, source } = await make();
  await run(async (tx) => {
    await tx.query(sql`update roster_patients set address1 = '12 Heron Lane', zip = '14601' where id = ${listed.id}`);
    await identify(tx, listed, { now });
    await changeDemographics(tx, source, ADAEZE);
    await identify(tx, source, { now });
  });
  expect(await personOf(source)).toBe(await personOf(listed));
  expect(await openReviews()).toEqual([]);
});
