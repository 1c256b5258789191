import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('calls with the same key run in order, even after a failure; other keys do not wait', async () => {
  const log: string[] = [];
  const step = (name: string, ms: number) => async () => {
    log.push(`${name} begins`);
    await sleep(ms);
    log.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const turns = [oneAtATime('x', step('a', 20)), oneAtATime('x', step('b', 5)), oneAtATime('x', step('c', 1))];
  const other = oneAtATime('y', step('other', 1));
  expect(await other).toBe('other');
  expect(log).toEqual(['a begins', 'other begins', 'other ends']);
  const results = await Promise.allSettled(turns);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log.filter((line) => !line.startsWith('other'))).toEqual([
    'a begins',
    'a ends',
    'b begins',
    'b ends',
    'c begins',
    'c ends',
  ]);
});
