import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';

test('other work of the thread goes on after every hundred items', async () => {
  const seen: number[] = [];
  const seenByOthers: number[] = [];
  const other = (): void => {
    seenByOthers.push(seen.length);
    if (seen.length < 250) setImmediate(other);
  };
  setImmediate(other);
  for await (const item of inTurns(Array.from({ length: 250 }, (_, at) => at))) seen.push(item);
  expect(seen).toEqual(Array.from({ length: 250 }, (_, at) => at));
  expect(seenByOthers).toEqual(expect.arrayContaining([100, 200]));
});
