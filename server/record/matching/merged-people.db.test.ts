import { expect, test } from 'vitest';
import type { TestPerson } from '#server/testing/hospital.ts';
import { newPerson, pipelineScene, type Region } from '#server/testing/pipeline-scene.ts';

const { database, hosp, make, region } = await pipelineScene();
const { pipeline } = database;

/** Returns all orders of the elements. */
const ordersOf = <T>(elements: readonly T[]): T[][] =>
  elements.length === 0
    ? [[]]
    : elements.flatMap((first, index) => ordersOf(elements.toSpliced(index, 1)).map((rest) => [first, ...rest]));

/** Two stays under two record numbers, and the merge of the first into the second, or the other way round. */
function mergeOf({ message }: Region, first: TestPerson, second: TestPerson, isReverse = false): string[] {
  const ofSecond = { record: 'MR-1', visit: 'V-2', admitted: '202611200930', person: second };
  const numbers = isReverse ? { record: 'MR-0', priorRecord: 'MR-1' } : { record: 'MR-1', priorRecord: 'MR-0' };
  return [
    message('A01', '202611200900', { record: 'MR-0', person: first, controlId: '1' }),
    message('A01', '202611200930', { ...ofSecond, controlId: '2' }),
    message('A40', '202611200940', { ...numbers, person: undefined, controlId: '3' }),
  ];
}

const active = async (groupId: string) => (await hosp.pings(groupId)).filter((ping) => !ping.includes('CANCELLED'));

/** Returns how many stays the program's listings show, and the candidates of the open reviews of program and facility. */
async function shownBy({ facility, program }: Region) {
  const { rows } = await pipeline.query<{ stays: number; reviews: unknown[] }>(
    `select (select count(distinct e.id)::int from encounters e join roster_patients r on r.person_id = e.person_id
         where r.group_id = $2 and e.group_id = $1 and e.status <> 'CANCELLED') as stays,
       (select coalesce(json_agg(candidates), '[]') from match_reviews where group_id in ($1, $2) and decided_at is null) as reviews`,
    [facility, program],
  );
  return { ...rows[0], pings: (await active(program)).length };
}

const married = (person: TestPerson): TestPerson => ({ ...person, family: newPerson().family, zip: '99123' });
const moved = (person: TestPerson): TestPerson => ({ ...person, zip: '99123' });

for (const [what, change] of [
  ['another family name and address', married],
  ['another address', moved],
] as const) {
  for (const isReverse of [false, true]) {
    const where = isReverse ? 'prior' : 'surviving';
    test(`a merge keeps the listed patient on the list if the ${where} number has ${what}, in any order of arrival`, async () => {
      for (const order of ordersOf([0, 1, 2, 3])) {
        const at = await region({ isListed: false });
        const messages = mergeOf(at, at.person, change(at.person), isReverse);
        for (const index of order) {
          const message = messages[index];
          if (message) await hosp.send(message);
          else await hosp.list(at.program, at.person);
        }
        expect(await shownBy(at), order.join()).toEqual({ stays: 2, reviews: [], pings: 2 });
      }
    });
  }
}

let births = 0;

/** Returns a newborn with and without her first name. Each has a name and a day of her own, because unnamed newborns of one day are alike. */
const newborn = () => {
  const born = new Date(Date.UTC(2024, 0, 2 + ++births));
  const emma = newPerson({ birthDate: born.toISOString().slice(0, 10) });
  return { emma, unnamed: { ...emma, given: 'Baby Girl' } };
};

test('a newborn with a name under another number is linked after the merge, without a review, in any order of arrival', async () => {
  for (const isReverse of [false, true]) {
    for (const order of ordersOf([0, 1, 2, 3])) {
      const { emma, unnamed } = newborn();
      const at = await region({ isListed: false });
      const messages = mergeOf(at, unnamed, emma, isReverse);
      for (const index of order) {
        const message = messages[index];
        if (message) await hosp.send(message);
        else await hosp.list(at.program, emma);
      }
      expect(await shownBy(at), order.join()).toEqual({ stays: 2, reviews: [], pings: 2 });
    }
  }
});

test('after a merge and an update, no review is left that names a person without records', async () => {
  const { emma, unnamed } = newborn();
  const at = await region({ isListed: false });
  await hosp.list(at.program, emma);
  const [first = '', second = '', merge = ''] = mergeOf(at, unnamed, { ...emma, given: 'Baby Girl A' });
  await hosp.send(first, second, merge);
  const renamed = { record: 'MR-1', visit: 'V-2', admitted: '202611200930', person: emma };
  await hosp.send(at.message('A08', '202611200950', renamed));
  expect(await shownBy(at)).toEqual({ stays: 2, reviews: [], pings: 2 });
});

test('two people of two lists who were linked to the merged numbers are one person, whatever the order of arrival', async () => {
  for (const order of ordersOf([0, 1, 2, 3])) {
    const at = await region({ isListed: false });
    const other = married(at.person);
    const { id: another } = await make.group();
    const messages = mergeOf(at, at.person, other);
    for (const index of order) {
      const message = messages[index];
      if (message) await hosp.send(message);
      else {
        await hosp.list(at.program, at.person);
        await hosp.list(another, other);
      }
    }
    expect(await shownBy(at), order.join()).toEqual({ stays: 2, reviews: [], pings: 2 });
    expect(await active(another), order.join()).toHaveLength(2);
  }
});

test('two people of one list who were linked to the merged numbers wait for review, in any order of arrival', async () => {
  const orders = ordersOf([0, 1, 2, 3, 4]).filter((_, index) => index % 7 === 0);
  for (const order of orders) {
    const at = await region({ isListed: false });
    const other = married(at.person);
    const messages = mergeOf(at, at.person, other);
    for (const index of order) {
      const message = messages[index];
      if (message) await hosp.send(message);
      else await hosp.list(at.program, index === 3 ? at.person : other);
    }
    const { stays, reviews, pings } = await shownBy(at);
    expect([stays, pings], order.join()).toEqual([0, 0]);
    expect(reviews, order.join()).not.toEqual([]);
  }
});
