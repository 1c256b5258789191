import { beforeEach, expect, test, vi } from 'vitest';
import { forgetAll } from '../ui/forget.ts';

const ana = { userId: '1', draftKey: 'of-ana' };
const text = { text: 'lindqvist' };
/** As after a reload: the memory is empty, the storage is not. */
const load = async () => {
  vi.resetModules();
  return import('./typed-memory.ts');
};
const stored = (): string => sessionStorage.getItem('tidings-typed') ?? '';

beforeEach(() => {
  forgetAll();
  sessionStorage.clear();
});

test('a typed text is known by an id, survives a reload for its user only, and is not readable in storage', async () => {
  const before = await load();
  await before.restoreTyped(ana);
  const id = before.keepTyped(text);
  expect(id).not.toContain('lind');
  expect(before.typedWith(id)).toEqual(text);
  await vi.waitFor(() => expect(stored().length).toBeGreaterThan(40));
  expect(atob(stored())).not.toMatch(/lind/);

  const again = await load();
  expect(again.typedWith(id)).toBeUndefined();
  await again.restoreTyped(ana);
  expect(again.typedWith(id)).toEqual(text);
  await vi.waitFor(() => expect(stored().length).toBeGreaterThan(40));
  const other = await load();
  await other.restoreTyped({ userId: '2', draftKey: 'of-ben' });
  expect(other.typedWith(id)).toBeUndefined();
});

test('nothing typed is left once the session has ended', async () => {
  const { keepTyped, restoreTyped, typedWith } = await load();
  const { forgetAll: endOfSession } = await import('../ui/forget.ts');
  await restoreTyped(ana);
  const id = keepTyped(text);
  await vi.waitFor(() => expect(stored()).not.toBe(''));
  endOfSession();
  expect(typedWith(id)).toBeUndefined();
  expect(stored()).toBe('');
});
