import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#server/database/embedded.ts';
import { migrate } from '#server/database/migrate.ts';
import { openDatabase } from '#server/database/pool.ts';
import { ensureRoles } from '#server/database/roles.ts';
import { dumpSchema } from '#server/database/schema-dump.ts';

/** `npm run schema`: applies all migrations to an empty database and writes the schema that they make. */
const target = join(import.meta.dirname, '../server/database/schema.sql');
const dataDir = await mkdtemp(join(tmpdir(), 'tidings-schema-'));
const server = await startEmbedded({ dataDir, log: console, settings: { fsync: 'off' } });
try {
  const { owner } = await ensureRoles(server.adminUrl, 'tidings');
  await migrate(owner);
  const database = openDatabase(owner, { max: 1 });
  await writeFile(target, await dumpSchema(database));
  await database.close();
  console.log(`Wrote ${target}`);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
