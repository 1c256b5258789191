/** Links that move back and forth, and the reviews that name whom they left. */
import { expect, test } from 'vitest';
import { identifyAll } from '#server/record/matching/identify.ts';
import { type InventedPatient, subjectsForTests } from '#server/testing/subjects.ts';
import { applyDecision, listReviews } from './match-reviews.ts';

const { db, ids, listing, now, patient, personOf, run } = await subjectsForTests();

const NGOZI: InventedPatient = {
  given: 'Ngozi',
  family: 'Okonkwo',
  birthDate: '1941-03-15',
  sex: 'Female',
  line1: '4 Quay Road',
  zip: '14609',
  phone: '206-774-2233',
};
/** As near to her as to `NEWCOMER`, who is not near to her. */
const BETWEEN: InventedPatient = { ...NGOZI, sex: 'Male', zip: '98101', phone: '585-774-2232' };
const NEWCOMER: InventedPatient = { ...BETWEEN, family: 'Blackfeather', birthDate: '1941-03-14', zip: '14601' };

test('a review names whoever has the records, if links moved back and forth until nobody was left where they began', async () => {
  const reviewer = { userId: ids.userId, organizationId: '0', isOperator: true, groupIds: [ids.hospital, ids.program] };
  const identify = async (subject: Awaited<ReturnType<typeof listing>>) =>
    run((tx) => identifyAll(tx, [subject], { now }));
  await identify(await run((tx) => listing(tx, NGOZI, { groupId: ids.hospital })));
  const between = await run((tx) => listing(tx, BETWEEN));
  await identify(between);
  const newcomer = await run((tx) => patient(tx, NEWCOMER));
  await identify(newcomer);

  const page = { pageNumber: 1, pageSize: 10, order: 'oldest' as const };
  const { reviews } = (await listReviews(db, reviewer, page)).shown;
  const review = reviews.find(({ record }) => record.number === newcomer.recordNumber);
  expect(review?.candidates.map(({ record }) => record?.values.zip)).toEqual([BETWEEN.zip]);
  const choice = { candidateId: review?.candidates[0]?.id ?? '', version: review?.version ?? '', onlyIfClear: false };
  await run((tx) => applyDecision(tx, review?.id ?? '', choice, { reviewer, now }));
  expect(await personOf(newcomer)).toBe(await personOf(between));
});
