import { afterAll, expect, test } from 'vitest';
import { createLog } from '#server/platform/http/log.ts';
import { TaskEndedError, TaskThreads } from './task-threads.ts';

const FOREVER = { says: '', forever: true };
const tasks = new TaskThreads({
  name: 'tasks of a test',
  file: new URL('../../testing/task-thread.ts', import.meta.url),
  log: createLog('silent'),
  longestTask: 1500,
});
afterAll(() => tasks.stop());

test('a task that never ends is ended, and neither other users nor what its user asks next is lost', async () => {
  const order: string[] = [];
  const noted = (name: string, promise: Promise<unknown>) => promise.finally(() => order.push(name));
  const endless = noted('endless', tasks.run('1', FOREVER));
  const next = noted('next', tasks.run('1', { says: 'next' }));
  const other = noted('other', tasks.run('2', { says: 'other' }));
  await expect(endless).rejects.toBeInstanceOf(TaskEndedError);
  expect(await Promise.all([next, other])).toEqual(['next', 'other']);
  expect(order).toEqual(['other', 'endless', 'next']);
});

test('only so many tasks of a user wait, and one that fails says why', async () => {
  const all = Array.from({ length: 22 }, (_, at) => tasks.run('3', { says: `${at}` }));
  const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { key: 'TOO_MANY_REQUESTS' } }]);
  await expect(tasks.run('3', { says: 'no such thing', fails: true })).rejects.toThrow('no such thing');
  expect(await tasks.run('3', { says: 'well' })).toBe('well');
});
