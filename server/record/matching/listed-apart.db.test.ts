import { expect, test } from 'vitest';
import type { TestPerson } from '#server/testing/hospital.ts';
import { newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';
import { identifyAll } from './identify.ts';
import { relink } from './relink.ts';
import type { Subject } from './subjects.ts';

const { database, hosp, make, now, region } = await pipelineScene();
const { pipeline } = database;

const personsOf = async (groupId: string): Promise<string[]> => {
  const { rows } = await pipeline.query<{ id: string }>(
    'select person_id as id from roster_patients where group_id = $1 order by id',
    [groupId],
  );
  return rows.map(({ id }) => id);
};

const openReviews = async (...groupIds: string[]): Promise<{ vetoes: string[] }[]> => {
  const { rows } = await pipeline.query<{ vetoes: string[] }>(
    `select candidates #> '{0,evidence,vetoes}' as vetoes from match_reviews where group_id = any ($1) and decided_at is null`,
    [groupIds],
  );
  return rows;
};

const ordersOf = <T>(elements: readonly T[]): T[][] =>
  elements.length === 0
    ? [[]]
    : elements.flatMap((first, index) => ordersOf(elements.toSpliced(index, 1)).map((rest) => [first, ...rest]));

/** As the same person, except for a letter. */
const misspelled = (person: TestPerson): TestPerson => ({ ...person, family: `${person.family}z` });

test('two people of one list with different member IDs stay two, and one of them waits for review', async () => {
  const { id } = await make.group();
  const person = newPerson();
  await hosp.list(id, person);
  await hosp.list(id, misspelled(person));
  expect(new Set(await personsOf(id)).size).toBe(2);
  expect(await openReviews(id)).toEqual([{ vetoes: ['listed-apart'] }]);
});

test('rows that agree in everything are one person listed twice', async () => {
  const at = await region();
  await hosp.send(at.message('A01', '202611200900'));
  await hosp.list(at.program, at.person);
  expect(new Set(await personsOf(at.program)).size).toBe(1);
  expect((await hosp.pings(at.program))[0]).toBe('ADMIT ACTIVE current');
  expect(await openReviews(at.program, at.facility)).toEqual([]);
});

test('rows of two lists are one person', async () => {
  const [one, other] = [await make.group(), await make.group()];
  const person = newPerson();
  await hosp.list(one.id, person);
  await hosp.list(other.id, misspelled(person));
  expect(await personsOf(one.id)).toEqual(await personsOf(other.id));
});

test('a row that left the list does not keep the patient from having a new member ID', async () => {
  const { id } = await make.group();
  const person = newPerson();
  await hosp.list(id, person);
  await pipeline.query('update roster_patients set left_at = now() where group_id = $1', [id]);
  await hosp.list(id, person);
  expect(new Set(await personsOf(id)).size).toBe(1);
});

test('a facility’s patient whom two rows of a list describe is linked to neither, in any order of arrival', async () => {
  for (const order of ordersOf([0, 1, 2])) {
    const at = await region({ isListed: false });
    const steps = [
      () => hosp.list(at.program, at.person),
      () => hosp.list(at.program, misspelled(at.person)),
      () => hosp.send(at.message('A01', '202611200900')),
    ];
    for (const index of order) await steps[index]?.();
    const { rows } = await pipeline.query<{ id: string }>(
      'select person_id as id from source_patients where group_id = $1',
      [at.facility],
    );
    const persons = [...(await personsOf(at.program)), rows[0]?.id];
    expect(new Set(persons).size, order.join()).toBe(3);
    expect(await openReviews(at.program, at.facility), order.join()).not.toEqual([]);
    expect(
      (await hosp.pings(at.program)).filter((ping) => ping.includes('ACTIVE')),
      order.join(),
    ).toEqual([]);
  }
});

test('a facility’s patient whom one row of a list describes is linked to that row, in any order of arrival', async () => {
  for (const order of ordersOf([0, 1, 2])) {
    const at = await region({ isListed: false });
    const other = { ...at.person, family: newPerson().family };
    const steps = [
      () => hosp.list(at.program, at.person),
      () => hosp.list(at.program, other),
      () => hosp.send(at.message('A01', '202611200900')),
    ];
    for (const index of order) await steps[index]?.();
    expect(new Set(await personsOf(at.program)).size, order.join()).toBe(2);
    expect(await hosp.pings(at.program), order.join()).toEqual(['ADMIT ACTIVE current']);
  }
});

test('two rows of which a person decided that they are one stay one', async () => {
  const { id } = await make.group();
  const person = newPerson();
  const first = await hosp.list(id, person);
  const second = await hosp.list(id, misspelled(person));
  const [target = ''] = await personsOf(id);
  const { id: userId } = await make.user();
  const decision = { decidedBy: userId, now, outcome: 'decided', ruleId: null, evidence: {} } as const;
  const rows: Subject[] = [first, second].map((row) => ({ kind: 'ROSTER_PATIENT', id: row }));
  await pipeline.transaction(async (tx) => {
    await relink(tx, { kind: 'ROSTER_PATIENT', id: second }, target, decision);
    await identifyAll(tx, rows, { now });
  });
  expect(new Set(await personsOf(id)).size).toBe(1);
});
