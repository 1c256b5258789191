import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Work that ends when the test says so, and notes when it begins and ends. */
function notedWork(notes: string[]) {
  return (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const run = async () => {
      notes.push(`${name} begins`);
      await promise.finally(() => notes.push(`${name} ends`));
    };
    return { run, end: resolve, fail: () => reject(new Error(name)) };
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('work alone begins after shared work, and shared work after it', async () => {
  const notes: string[] = [];
  const work = notedWork(notes);
  const [a, b, alone, later] = [work('a'), work('b'), work('alone'), work('later')];
  const turns = new Turns();
  const all = [turns.share(a.run), turns.share(b.run), turns.alone(alone.run), turns.share(later.run)];
  a.end();
  await settled();
  b.end();
  await settled();
  alone.end();
  later.end();
  await Promise.all(all);
  expect(notes).toEqual([
    'a begins',
    'b begins',
    'a ends',
    'b ends',
    'alone begins',
    'alone ends',
    'later begins',
    'later ends',
  ]);
});

test('work that fails gives way to the next', async () => {
  const notes: string[] = [];
  const work = notedWork(notes);
  const [first, second] = [work('first'), work('second')];
  const turns = new Turns();
  const failed = turns.alone(first.run);
  const next = turns.alone(second.run);
  first.fail();
  second.end();
  await expect(failed).rejects.toThrow('first');
  await next;
  expect(notes).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});
