import { expect, test } from 'vitest';
import { resendMoved } from '#server/record/pings/notify.ts';
import { applyDecision, listReviews, revertDecision } from '#server/record/reviews/match-reviews.ts';
import type { Reviewer } from '#server/record/reviews/queries.ts';
import { ARRIVAL_ORDERS, newPerson, pipelineScene, type Region } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, now, region, reprocess } = await pipelineScene();
const { pipeline } = database;

const NUMBER_CONTRADICTED = 'This record number is already linked to someone whose name or date of birth is different.';
const MERGE_CONTRADICTED = 'The hospital merged the two record numbers, but their names or birth dates are different.';

/** Two people under one record number: the one whom the program lists, and a stranger, with the messages of both in the order they were written. */
async function sharedNumber() {
  const own = await region();
  const stranger = newPerson();
  const ofStranger = { visit: 'V-2', admitted: '202611200930', person: stranger };
  const messages = [
    own.message('A01', '202611200900', { controlId: '1' }),
    own.message('A01', '202611200930', { ...ofStranger, controlId: '2' }),
    own.message('A03', '202611200940', { discharged: '202611200940', controlId: '3' }),
  ];
  return { ...own, stranger, ofStranger, messages };
}

const active = async (groupId: string) => (await hosp.pings(groupId)).filter((ping) => !ping.includes('CANCELLED'));

/** Returns which visits belong to the person whom a listing of the group is about, by visit number. */
async function visitsOf({ facility, program }: Pick<Region, 'facility' | 'program'>): Promise<string[]> {
  const { rows } = await pipeline.query<{ visit: string }>(
    `select e.visit_number as visit from encounters e where e.group_id = $1 and e.status <> 'CANCELLED'
       and e.person_id in (select person_id from roster_patients where group_id = $2) order by 1`,
    [facility, program],
  );
  return rows.map(({ visit }) => visit);
}

async function reviewsAt(facility: string) {
  const reviewer: Reviewer = {
    userId: (await make.user()).id,
    organizationId: '0',
    isOperator: true,
    groupIds: [facility],
  };
  const { shown } = await listReviews(pipeline, reviewer, { pageNumber: 1, pageSize: 20, order: 'likeliest' });
  const { reviews } = shown;
  const decide = (reviewId: string, candidateId: string | null) =>
    pipeline.transaction(async (tx) => {
      const version = reviews.find(({ id }) => id === reviewId)?.version ?? '';
      const choice = { candidateId, version, onlyIfClear: false };
      const moved = await applyDecision(tx, reviewId, choice, { reviewer, now });
      await resendMoved(tx, moved ?? [], now);
    });
  const undo = (reviewId: string) =>
    pipeline.transaction(async (tx) => {
      await resendMoved(tx, (await revertDecision(tx, reviewId, { reviewer, now })) ?? [], now);
    });
  return { reviews, decide, undo };
}

test('a stranger’s visit under a listed patient’s record number is not the patient’s, in any order of arrival', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { facility, program, messages } = await sharedNumber();
    await hosp.send(...inOrder(messages));
    expect((await active(program)).map((ping) => ping.split(' ')[0])).toEqual(['ADMIT', 'DISCHARGE']);
    expect(await visitsOf({ facility, program })).toEqual(['V-1']);
    const { reviews } = await reviewsAt(facility);
    expect(reviews).toMatchObject([{ candidates: [{ warnings: [NUMBER_CONTRADICTED] }] }]);
  }
});

test('the stranger’s visit waits for a person even if another program lists the stranger, and goes there when a person says so', async () => {
  for (const isListedFirst of [true, false]) {
    const { facility, program, messages, stranger } = await sharedNumber();
    const { id: another } = await make.group();
    if (isListedFirst) await hosp.list(another, stranger);
    await hosp.send(...messages);
    if (!isListedFirst) await hosp.list(another, stranger);
    expect(await active(another)).toEqual([]);
    const { reviews, decide } = await reviewsAt(facility);
    const [review] = reviews;
    expect(review?.candidates).toHaveLength(2);
    await decide(review?.id ?? '', review?.candidates[1]?.id ?? '');
    expect(await active(another)).toEqual(['ADMIT ACTIVE current']);
    expect(await visitsOf({ facility, program: another })).toEqual(['V-2']);
    expect(await visitsOf({ facility, program })).toEqual(['V-1']);
  }
});

test('confirming that the second holder is the same person moves that visit only, and holds for later messages', async () => {
  const { facility, program, messages, message, ofStranger } = await sharedNumber();
  await hosp.send(
    ...messages,
    message('A01', '202611200945', { visit: 'V-3', admitted: '202611200945', person: newPerson() }),
  );
  const { reviews, decide } = await reviewsAt(facility);
  expect(reviews).toHaveLength(2);
  const ofSecond = reviews.find(({ record }) => record.number.endsWith('(patient 2)'));
  await decide(ofSecond?.id ?? '', ofSecond?.candidates[0]?.id ?? '');
  expect(await visitsOf({ facility, program })).toEqual(['V-1', 'V-2']);
  const second = { ...ofStranger, discharged: '202611200950' };
  const id = await hosp.send(message('A03', '202611200950', second));
  await reprocess(id);
  expect(await visitsOf({ facility, program })).toEqual(['V-1', 'V-2']);
  expect((await reviewsAt(facility)).reviews).toHaveLength(1);
});

test('corrected demographics of the stranger’s visit give it back, and the review ends', async () => {
  const { facility, program, messages, message, ofStranger, person } = await sharedNumber();
  await hosp.send(...messages);
  await hosp.send(message('A08', '202611200950', { ...ofStranger, person }));
  expect(await visitsOf({ facility, program })).toEqual(['V-1', 'V-2']);
  expect((await reviewsAt(facility)).reviews).toEqual([]);
  await hosp.send(message('A08', '202611200955', ofStranger));
  expect(await visitsOf({ facility, program })).toEqual(['V-1']);
  expect((await reviewsAt(facility)).reviews).toHaveLength(1);
});

test('an earlier visit changed to a stranger’s leaves the patient’s other visit where it is', async () => {
  const { facility, program, message, person } = await region();
  const later = { visit: 'V-2', admitted: '202611200930', person };
  await hosp.send(message('A01', '202611200900'), message('A01', '202611200930', later));
  await hosp.send(message('A08', '202611200940', { person: newPerson() }));
  expect(await visitsOf({ facility, program })).toEqual(['V-2']);
  expect((await reviewsAt(facility)).reviews).toHaveLength(1);
});

test('a message of a canceled visit keeps no one else from the record number', async () => {
  const { facility, program, message, person } = await region();
  const wrong = { visit: 'V-0', person: newPerson() };
  await hosp.send(message('A01', '202611200830', wrong), message('A11', '202611200840', wrong));
  await hosp.send(message('A01', '202611200900', { person }));
  expect(await visitsOf({ facility, program })).toEqual(['V-1']);
  expect((await reviewsAt(facility)).reviews).toEqual([]);
});

test('a decision stays with the patient it was about when an older message of someone else arrives', async () => {
  const { facility, program, message, person } = await region();
  const typed = { person: { ...person, zip: '10001' } };
  await hosp.send(message('A01', '202611200900', typed));
  const before = await reviewsAt(facility);
  await before.decide(before.reviews[0]?.id ?? '', before.reviews[0]?.candidates[0]?.id ?? '');
  expect(await visitsOf({ facility, program })).toEqual(['V-1']);
  const stranger = { visit: 'V-0', admitted: '202611190900', person: newPerson() };
  await hosp.send(message('A01', '202611190900', stranger));
  expect(await visitsOf({ facility, program })).toEqual(['V-1']);
  const { rows } = await pipeline.query<{ record: string; visit: string }>(
    `select s.record_number as record, e.visit_number as visit from source_patients s join encounters e on e.source_patient_id = s.id
     where s.group_id = $1 order by 1`,
    [facility],
  );
  expect(rows).toEqual([
    { record: 'MR-1', visit: 'V-1' },
    { record: 'MR-1 (patient 2)', visit: 'V-0' },
  ]);
});

/** Two stays under two record numbers, which the facility merges although they are different people's. */
async function wrongMerge() {
  const own = await region();
  const stranger = newPerson();
  const ofStranger = { record: 'MR-2', visit: 'V-2', admitted: '202611200930', person: stranger };
  const { id: another } = await make.group();
  await hosp.list(another, stranger);
  const messages = [
    own.message('A01', '202611200900', { controlId: '1' }),
    own.message('A01', '202611200930', { ...ofStranger, controlId: '2' }),
    own.message('A40', '202611200940', { priorRecord: 'MR-2', controlId: '3' }),
  ];
  return { ...own, another, ofStranger, messages };
}

test('a merge of two people is held for review and both keep their visits, in any order of arrival', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { facility, program, another, messages } = await wrongMerge();
    await hosp.send(...inOrder(messages));
    expect(await active(program)).toEqual(['ADMIT ACTIVE current']);
    expect(await active(another)).toEqual(['ADMIT ACTIVE current']);
    expect(await visitsOf({ facility, program })).toEqual(['V-1']);
    expect(await visitsOf({ facility, program: another })).toEqual(['V-2']);
    const { reviews } = await reviewsAt(facility);
    expect(reviews).toMatchObject([{ candidates: [{ warnings: [MERGE_CONTRADICTED] }] }]);
  }
});

test('a held merge is carried out when a person confirms it, and taken back with the decision', async () => {
  const { facility, program, another, messages, message, ofStranger, person } = await wrongMerge();
  await hosp.send(...messages);
  const merge = (await hosp.message(await hosp.send(message('A40', '202611200941', { priorRecord: 'MR-2' })))).reason;
  expect(merge).toBe('Waiting for a match review: the record numbers belong to different people');
  const discharge = { ...ofStranger, record: 'MR-1', person, discharged: '202611200950' };
  await hosp.send(message('A03', '202611200950', discharge));
  expect(await active(another)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
  expect(await visitsOf({ facility, program })).toEqual(['V-1']);
  const { reviews, decide, undo } = await reviewsAt(facility);
  const review = reviews.find(({ candidates }) => candidates.length === 1);
  await decide(review?.id ?? '', review?.candidates[0]?.id ?? '');
  expect(await visitsOf({ facility, program })).toEqual(['V-1', 'V-2']);
  expect(await visitsOf({ facility, program: another })).toEqual([]);
  await hosp.send(message('A08', '202611200955'));
  expect(await visitsOf({ facility, program })).toEqual(['V-1', 'V-2']);
  await undo(review?.id ?? '');
  expect(await visitsOf({ facility, program: another })).toEqual(['V-2']);
});

test('a merge that a person rejected stays held without another review', async () => {
  const { facility, program, another, messages, message, ofStranger } = await wrongMerge();
  await hosp.send(...messages);
  const { reviews, decide } = await reviewsAt(facility);
  await decide(reviews[0]?.id ?? '', null);
  await hosp.send(
    message('A08', '202611200950'),
    message('A08', '202611200951', { ...ofStranger, person: { ...ofStranger.person, zip: '10001' } }),
  );
  expect((await reviewsAt(facility)).reviews).toEqual([]);
  expect(await visitsOf({ facility, program })).toEqual(['V-1']);
  expect(await visitsOf({ facility, program: another })).toEqual(['V-2']);
});
