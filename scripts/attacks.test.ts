import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ATTACKS } from './attacks.ts';

test('every attack has tests that exist', () => {
  const files = ATTACKS.flatMap((attack) => attack.files);
  expect(files.filter((file) => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([]);
});
