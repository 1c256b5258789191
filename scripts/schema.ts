import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '#server/platform/database/migrate.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { ensureRoles } from '#server/platform/database/roles.ts';
import { dumpSchema } from '#server/platform/database/schema-dump.ts';
import { startTemporaryPostgres } from '#server/testing/temporary-postgres.ts';

/** `npm run schema`: applies all migrations to an empty database and writes the resulting schema to `schema.sql`. */
const target = join(import.meta.dirname, '../server/platform/database/schema.sql');
const server = await startTemporaryPostgres();
try {
  const { owner } = await ensureRoles(server.adminUrl, 'tidings');
  await migrate(owner);
  const database = openDatabase(owner, { max: 1 });
  await writeFile(target, await dumpSchema(database));
  await database.close();
  console.log(`Wrote ${target}`);
} finally {
  await server.stop();
}
