/** Two hospitals that number their patients together: what one reports about a patient counts at both. */
import { expect, test } from 'vitest';
import type { Transaction } from '#server/platform/database/pool.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import { applyDecision, listReviews, revertDecision } from '#server/record/reviews/match-reviews.ts';
import { idOf } from '#server/record/reviews/show-review.ts';
import { hospitalSystems } from '#server/testing/hospital-systems.ts';
import { ARRIVAL_ORDERS, newPerson } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, now, system } = await hospitalSystems();

const visitsAt = async (groupId: string) =>
  (await database.pipeline.query("select from encounters where group_id = $1 and status <> 'CANCELLED'", [groupId]))
    .rowCount;

for (const trigger of ['A40', 'A18', 'A30', 'A34', 'A36', 'A47']) {
  test(`an ${trigger} at one hospital gives the stay at the other to the surviving patient, in any order of arrival`, async () => {
    for (const inOrder of ARRIVAL_ORDERS) {
      const { program, message, there, stays, active, third, patients } = await system();
      await hosp.send(
        ...inOrder([
          message('A01', '202611200830', { controlId: '1' }),
          message('A01', '202611200900', {
            ...there,
            record: 'MR-2',
            visit: 'V-2',
            person: undefined,
            controlId: '2',
          }),
          message(trigger, '202611200910', { priorRecord: 'MR-2', person: undefined, controlId: '3' }),
          message('A08', '202611200920', { ...there, visit: 'V-2', controlId: '4' }),
        ]),
      );
      expect(await stays()).toEqual([{ record: 'MR-1', visit: 'V-2', status: 'IN_PROGRESS', isSurvivors: true }]);
      expect(await active(program)).toEqual(['ADMIT', 'ADMIT']);
      expect(await patients(third)).toEqual([]);
    }
  });
}

test('the surviving patient’s team gets the pings even if the other hospital has sent nothing under the new number', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { program, message, there, stays, active } = await system();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200830', { controlId: '1' }),
        message('A01', '202611200900', {
          ...there,
          record: 'MR-2',
          visit: 'V-2',
          person: undefined,
          controlId: '2',
        }),
        message('A40', '202611200910', { priorRecord: 'MR-2', person: undefined, controlId: '3' }),
      ]),
    );
    expect(await stays()).toEqual([{ record: 'MR-1', visit: 'V-2', status: 'IN_PROGRESS', isSurvivors: true }]);
    expect(await active(program)).toEqual(['ADMIT', 'ADMIT']);
  }
});

for (const [which, more] of [
  ['without an authority', { authority: '', priorAuthority: '' }],
  ['of another authority', { authority: undefined, priorAuthority: undefined }],
] as const) {
  test(`a merge of numbers ${which} changes nothing at the other hospital`, async () => {
    for (const inOrder of ARRIVAL_ORDERS) {
      const { program, message, there, stays, active } = await system(more);
      const second = { ...there, ...(more.authority === undefined && { authority: 'OTHER' }) };
      await hosp.send(
        ...inOrder([
          message('A01', '202611200830', { controlId: '1' }),
          message('A01', '202611200900', {
            ...second,
            record: 'MR-2',
            visit: 'V-2',
            person: undefined,
            controlId: '2',
          }),
          message('A40', '202611200910', { priorRecord: 'MR-2', person: undefined, controlId: '3' }),
        ]),
      );
      expect(await stays()).toEqual([{ record: 'MR-2', visit: 'V-2', status: 'IN_PROGRESS', isSurvivors: false }]);
      expect(await active(program)).toEqual(['ADMIT']);
    }
  });
}

test('a move of a visit at the other hospital moves that visit alone', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { message, there, stays } = await system();
    const prior = { ...there, record: 'MR-2', person: undefined };
    await hosp.send(
      ...inOrder([
        message('A01', '202611200830', { controlId: '1' }),
        message('A01', '202611200900', { ...prior, visit: 'V-2', controlId: '2' }),
        message('A01', '202611200900', { ...prior, visit: 'V-3', controlId: '3' }),
        message('A45', '202611200910', { visit: 'V-2', priorRecord: 'MR-2', priorVisit: 'V-2', controlId: '4' }),
      ]),
    );
    expect(await stays()).toMatchObject([
      { record: 'MR-1', visit: 'V-2', isSurvivors: true },
      { record: 'MR-2', visit: 'V-3', isSurvivors: false },
    ]);
  }
});

test('new demographics without a PV1 hold at both hospitals', async () => {
  for (const [trigger, inOrder] of ['A08', 'A28', 'A31'].flatMap((t) => ARRIVAL_ORDERS.map((o) => [t, o] as const))) {
    const { facility, program, message, update, person, there, active, patients, other, third } = await system();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', {
          ...there,
          visit: 'V-2',
          person: { ...person, given: 'Baby Girl', birthDate: '1922-01-28' },
          controlId: '1',
        }),
        update(trigger, '202611200930', { account: 'A-701', controlId: '2' }),
      ]),
    );
    expect(await patients(other)).toEqual([{ record: 'MR-1', family: person.family, deceased: false }]);
    expect(await active(program)).toEqual(['ADMIT']);
    expect(await hosp.events(facility)).toEqual([]);
    expect(await visitsAt(facility)).toBe(0);
    expect(await patients(third)).toEqual([]);
  }
});

test('a death without a PV1 is an event of the stay at the other hospital, and a record only at the one that sent it', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { facility, message, update, there, patients, other, third } = await system();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', { ...there, visit: 'V-2', controlId: '1' }),
        update('A31', '202611200930', { deceased: true, controlId: '2' }),
      ]),
    );
    const codes = async (groupId: string) =>
      (await hosp.events(groupId)).filter((event) => !event.endsWith('CANCELLED'));
    expect(await codes(other)).toEqual(['ADMIT ACTIVE', 'DECEASED ACTIVE']);
    expect(await codes(facility)).toEqual(['DECEASED ACTIVE']);
    expect(await patients(other)).toMatchObject([{ deceased: true }]);
    expect(await patients(third)).toEqual([]);
  }
});

test('a death without a PV1 marks the patient at the other hospital, where a stay that was over gets no event', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { message, update, there, patients, other } = await system();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200830', { ...there, visit: 'V-2', controlId: '1' }),
        message('A03', '202611200900', { ...there, visit: 'V-2', discharged: '202611200900', controlId: '2' }),
        update('A31', '202611200930', { deceased: true, controlId: '3' }),
      ]),
    );
    expect(await hosp.events(other)).not.toContain('DECEASED ACTIVE');
    expect(await patients(other)).toMatchObject([{ deceased: true }]);
  }
});

test('a merge of people who contradict each other waits at both hospitals for one decision', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { program, message, there, stays, active, facility, other } = await system();
    const stranger = newPerson();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200830', { controlId: '1' }),
        message('A01', '202611200840', { record: 'MR-2', visit: 'V-3', person: stranger, controlId: '2' }),
        message('A01', '202611200900', { ...there, record: 'MR-2', visit: 'V-2', person: stranger, controlId: '3' }),
        message('A40', '202611200910', { priorRecord: 'MR-2', controlId: '4' }),
        message('A08', '202611200920', { ...there, visit: 'V-2', controlId: '5' }),
      ]),
    );
    expect(await stays()).toEqual([{ record: 'MR-2', visit: 'V-2', status: 'IN_PROGRESS', isSurvivors: false }]);
    expect(await active(program)).toEqual(['ADMIT']);
    const held = await database.pipeline.query(
      'select group_id as "groupId" from source_patients where merge_held is not null and group_id in ($1, $2)',
      [facility, other],
    );
    expect(held.rows).toEqual([{ groupId: facility }]);
  }
});

test('merges over several numbers, sent by one hospital, carry the stay at the other along', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { message, there, stays } = await system();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', { ...there, record: 'MR-3', visit: 'V-2', person: undefined, controlId: '1' }),
        message('A40', '202611200910', { record: 'MR-2', priorRecord: 'MR-3', person: undefined, controlId: '2' }),
        message('A40', '202611200920', { priorRecord: 'MR-2', controlId: '3' }),
        message('A03', '202611200930', { ...there, visit: 'V-2', discharged: '202611200930', controlId: '4' }),
      ]),
    );
    expect(await stays()).toEqual([{ record: 'MR-1', visit: 'V-2', status: 'FINISHED', isSurvivors: true }]);
  }
});

test('a transfer under the surviving number continues the stay that began under the merged one', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { message, there, stays, facility } = await system();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', { record: 'MR-2', person: undefined, controlId: '1' }),
        message('A40', '202611200910', { priorRecord: 'MR-2', controlId: '2' }),
        message('A02', '202611200920', { ...there, person: undefined, controlId: '3' }),
      ]),
    );
    expect(await stays()).toMatchObject([{ record: 'MR-1', visit: 'V-1', status: 'IN_PROGRESS' }]);
    expect(await hosp.events(facility)).toContain('DISCHARGE ACTIVE');
  }
});

test('a merge of a duplicate with a wrong birth date, sent by the other hospital, gives the stay to the patient’s team', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { message, there, active, program, person } = await system();
    const duplicate = { ...there, record: 'MR-2', visit: 'V-2', person: { ...person, birthDate: '1976-08-07' } };
    await hosp.send(
      ...inOrder([
        message('A04', '202611200830', { ...duplicate, patientClass: 'E', controlId: '1' }),
        message('A01', '202611200900', { ...duplicate, controlId: '2' }),
        message('A40', '202611200910', { priorRecord: 'MR-2', controlId: '3' }),
      ]),
    );
    expect(await active(program)).toEqual(['PRESENTED', 'ADMIT']);
  }
});

test('a Part 2 facility’s merges count at the other hospital, but nothing that it says about the patient', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { message, update, there, stays, patients, other } = await system(undefined, { isPart2: true });
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', { ...there, record: 'MR-2', visit: 'V-2', person: undefined, controlId: '1' }),
        message('A40', '202611200910', { priorRecord: 'MR-2', controlId: '2' }),
        update('A31', '202611200920', { deceased: true, controlId: '3' }),
      ]),
    );
    expect(await stays()).toMatchObject([{ record: 'MR-1', visit: 'V-2' }]);
    expect(await hosp.events(other)).toEqual(['ADMIT ACTIVE']);
    for (const patient of await patients(other)) expect(patient).toMatchObject({ family: null, deceased: false });
  }
});

/**
 * Links the patient of the only open review at the hospital to the survivor, MR-1 at `facility`, and returns how to undo that. People of other
 * tests who happen to be alike can be candidates too.
 */
async function confirmAt(groupId: string, facility: string): Promise<() => Promise<void>> {
  const reviewer = { userId: (await make.user()).id, organizationId: '0', isOperator: true, groupIds: [groupId] };
  const list = await listReviews(database.pipeline, reviewer, { pageNumber: 1, pageSize: 20, order: 'likeliest' });
  expect(list.shown.reviews).toHaveLength(1);
  const [review] = list.shown.reviews;
  if (!review) throw new Error('No review to decide');
  const { id, version, candidates } = review;
  const { pipeline } = database;
  const { rows } = await pipeline.query<{ salt: string; personId: string }>(
    `select r.salt, s.person_id as "personId" from match_reviews r, source_patients s
     where r.id = $1 and s.group_id = $2 and s.record_number = 'MR-1'`,
    [id, facility],
  );
  const candidateId = rows[0] ? idOf(rows[0].salt, rows[0].personId) : '';
  expect(candidates.map((candidate) => candidate.id)).toContain(candidateId);
  const choice = { candidateId, version, onlyIfClear: false };
  const inTransaction = (decide: (tx: Transaction) => Promise<readonly Relinked[] | null>) =>
    pipeline.transaction(async (tx) => resendMoved(tx, (await decide(tx)) ?? [], now));
  await inTransaction((tx) => applyDecision(tx, id, choice, { reviewer, now }));
  return async () => {
    await inTransaction((tx) => revertDecision(tx, id, { reviewer, now }));
  };
}

test('a decision about a held merge holds at both hospitals, and so does its undo', async () => {
  const { message, there, stays, facility, program, active } = await system();
  const stranger = newPerson();
  await hosp.send(
    message('A01', '202611200830'),
    message('A01', '202611200840', { record: 'MR-2', visit: 'V-3', person: stranger }),
    message('A01', '202611200900', { ...there, record: 'MR-2', visit: 'V-2', person: stranger }),
    message('A40', '202611200910', { priorRecord: 'MR-2' }),
  );
  expect(await active(program)).toEqual(['ADMIT']);
  const undo = await confirmAt(facility, facility);
  expect(await stays()).toMatchObject([{ record: 'MR-1', visit: 'V-2', isSurvivors: true }]);
  expect(await active(program)).toEqual(['ADMIT', 'ADMIT', 'ADMIT']);
  await hosp.send(message('A08', '202611200920', { ...there, visit: 'V-2' }));
  expect(await stays()).toMatchObject([{ record: 'MR-1', visit: 'V-2', isSurvivors: true }]);
  await undo();
  expect(await stays()).toMatchObject([{ record: 'MR-2', visit: 'V-2', isSurvivors: false }]);
  expect(await active(program)).toEqual(['ADMIT']);
});

test('a merge that only the other hospital’s messages contradict waits there', async () => {
  for (const inOrder of ARRIVAL_ORDERS) {
    const { message, there, stays, other, facility } = await system();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200830', { controlId: '1' }),
        message('A01', '202611200900', {
          ...there,
          record: 'MR-2',
          visit: 'V-2',
          person: newPerson(),
          controlId: '2',
        }),
        message('A40', '202611200910', { priorRecord: 'MR-2', controlId: '3' }),
      ]),
    );
    expect(await stays()).toMatchObject([{ record: 'MR-2', visit: 'V-2', isSurvivors: false }]);
    const { rows } = await database.pipeline.query(
      `select s.group_id as "at", m.group_id as "survivorAt" from source_patients s
       join source_patients m on m.id = s.merge_held where s.group_id = $1`,
      [other],
    );
    expect(rows).toEqual([{ at: other, survivorAt: facility }]);
    await confirmAt(other, facility);
    expect(await stays()).toMatchObject([{ record: 'MR-1', visit: 'V-2', isSurvivors: true }]);
  }
});
