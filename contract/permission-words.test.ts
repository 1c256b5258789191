import { expect, test } from 'vitest';
import { PERMISSION_WORDS } from './permission-words.ts';
import { PERMISSION_FLAGS } from './permissions.ts';

test('every permission has its own words', () => {
  expect(Object.keys(PERMISSION_WORDS).sort()).toEqual([...PERMISSION_FLAGS].sort());
  const all = Object.values(PERMISSION_WORDS).map(({ action }) => action);
  expect(new Set(all).size).toBe(all.length);
  for (const action of all) expect(action).toMatch(/^[a-z]/);
});
