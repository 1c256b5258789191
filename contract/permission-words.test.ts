import { expect, test } from 'vitest';
import { PERMISSION_WORDS } from './permission-words.ts';
import { PERMISSION_FLAGS } from './permissions.ts';

test('each permission has words of its own', () => {
  expect(Object.keys(PERMISSION_WORDS).sort()).toEqual([...PERMISSION_FLAGS].sort());
  const all = Object.values(PERMISSION_WORDS).map(({ may }) => may);
  expect(new Set(all).size).toBe(all.length);
  for (const may of all) expect(may).toMatch(/^[a-z]/);
});
