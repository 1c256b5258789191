import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PERMISSION_GUARDS } from '#contract/permission-guards.ts';
import { PERMISSION_FLAGS, type Permission, routeFlags } from '#contract/permissions.ts';
import { routes } from '#contract/routes.ts';

const root = join(import.meta.dirname, '..');
const routesOf = (flag: Permission) =>
  Object.values(routes).filter(({ permission }) => routeFlags(permission).includes(flag));

test('every route requires an existing flag, or none', () => {
  const known = ['public', 'signed-in', 'in-team', ...PERMISSION_FLAGS];
  for (const [key, { permission }] of Object.entries(routes))
    expect([key, known]).toEqual([key, expect.arrayContaining([permission].flat())]);
});

test('the table lists exactly the flags that exist', () => {
  expect(Object.keys(PERMISSION_GUARDS).sort()).toEqual([...PERMISSION_FLAGS].sort());
});

describe.each(PERMISSION_FLAGS)('%s', (flag) => {
  const { checks = [] } = PERMISSION_GUARDS[flag];

  test('guards at least one thing', () => {
    expect(routesOf(flag).length + checks.length).toBeGreaterThan(0);
  });

  test('is checked where the table says so', () => {
    for (const [file] of checks) {
      const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
      expect([file, text.includes(`'${flag}'`)]).toEqual([file, true]);
    }
  });
});
