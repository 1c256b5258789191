import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const limits = { most: 2, waiting: 2, patience: 60_000 };

test('only so many turns of a key run at the same time; the next begins when one ends, in order', async () => {
  const turns = new Turns(limits);
  const [first, second] = [await turns.take('a'), await turns.take('a')];
  const begun: string[] = [];
  const third = turns.take('a').then((end) => (begun.push('third'), end));
  const fourth = turns.take('a').then((end) => (begun.push('fourth'), end));
  expect(await turns.take('a')).toBeNull();
  (await turns.take('b'))?.();
  expect(begun).toEqual([]);
  first?.();
  first?.();
  await third;
  expect(begun).toEqual(['third']);
  second?.();
  await fourth;
  expect(begun).toEqual(['third', 'fourth']);
});

test('a turn that waits too long is refused, and takes no one’s place', async () => {
  const turns = new Turns({ most: 1, waiting: 5, patience: 20 });
  const first = await turns.take('a');
  expect(await turns.take('a')).toBeNull();
  first?.();
  const second = await turns.take('a');
  expect(second).not.toBeNull();
  second?.();
  expect(await turns.take('a')).not.toBeNull();
});
