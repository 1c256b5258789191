/** Two hospitals that number their patients together: what one reports about a patient counts at both. */
import { expect, test } from 'vitest';
import { hospitalSystems } from '#server/testing/hospital-systems.ts';
import { ARRIVAL_ORDERS, newPerson } from '#server/testing/pipeline-scene.ts';

const { database, hosp, system } = await hospitalSystems();

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
    const { program, message, update, person, there, active, patients, other, third } = await system();
    await hosp.send(
      ...inOrder([
        message('A01', '202611200900', {
          ...there,
          visit: 'V-2',
          person: { ...person, given: 'Baby Girl', birthDate: '1922-11-02' },
          controlId: '1',
        }),
        update(trigger, '202611200930', { controlId: '2' }),
      ]),
    );
    expect(await patients(other)).toEqual([{ record: 'MR-1', family: person.family, deceased: false }]);
    expect(await active(program)).toEqual(['ADMIT']);
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
