import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { dumpSchema } from './schema-dump.ts';

const { owner } = await testDatabase();

test('schema.sql matches the migrations (if not, run npm run schema)', async () => {
  const file = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8');
  expect(await dumpSchema(owner)).toBe(file);
});
