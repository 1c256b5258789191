import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#server/platform/database/migrate.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { ensureRoles } from '#server/platform/database/roles.ts';
import { sql } from '#server/platform/database/sql.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories } from '#server/testing/factories.ts';
import { writeBackup } from './backup.ts';
import { fileOf, type Manifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';

const database = await testDatabase();
const { pipeline, adminUrl, urls } = database;
const now = new Date('2026-11-20T15:00:00Z');
const make = factories(pipeline, () => now);

let folder: string;
const places: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-backup-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  for (const name of places) await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
});

/** Creates an empty database and returns the URL of its owner. */
async function emptyPlace(): Promise<string> {
  const name = `tidings_restored_${process.pid}_${places.length}`;
  places.push(name);
  return (await ensureRoles(adminUrl, name)).owner;
}

/** Lists the person at a new group of a new organization, with a visit and its ping. */
async function listed(): Promise<void> {
  const { id: organizationId } = await make.organization();
  const facility = await make.group({ organizationId, type: 'HOS' });
  const group = await make.group({ organizationId });
  const person = await make.person();
  const { id: rosterPatientId } = await make.rosterPatient({
    groupId: group.id,
    personId: person.id,
    tags: ['Zoë\tsays "no"', 'back\\slash', 'two\nlines'],
  });
  const encounter = await make.encounter({ groupId: facility.id, personId: person.id });
  const { id: eventId } = await make.event({ encounterId: encounter.id });
  await make.ping({ groupId: group.id, encounter, eventId, rosterPatientId });
}

const contentOf = ({ tables, sequences }: Manifest) => ({
  tables: tables.filter(({ name }) => name !== 'change_log'),
  sequences,
});

test('what is backed up under load and restored elsewhere is equal, table by table, and goes on', async () => {
  for (let n = 0; n < 20; n += 1) await listed();
  // A month without a partition in a new database.
  await pipeline.query(sql`select ensure_partitions('2024-02-01'::date, '2024-02-01'::date)`);
  const work = { goesOn: true };
  const load = (async () => {
    while (work.goesOn) await listed();
  })();
  const manifest = await writeBackup(urls.owner, join(folder, 'one'), now);
  work.goesOn = false;
  await load;
  const counts = new Map(manifest.tables.map(({ name, rows }) => [name, rows]));
  expect(counts.get('pings')).toBeGreaterThanOrEqual(20);
  // Each ping's event, visit and listing are of the same moment: their foreign keys are checked again.
  const owner = await emptyPlace();
  await restoreBackup(owner, join(folder, 'one'));
  const again = await writeBackup(owner, join(folder, 'again'), now);
  expect(contentOf(again)).toEqual(contentOf(manifest));
  expect(again.tables.find(({ name }) => name === 'change_log')?.rows).toBe(0);
  expect(await migrate(owner)).toEqual([]);
  const restored = openDatabase(owner, { max: 1 });
  try {
    await factories(restored, () => now).organization();
    const { rows } = await restored.query<{ name: string }>(
      sql`select conname as name from pg_constraint where contype = 'f' and not convalidated`,
    );
    expect(rows).toEqual([]);
  } finally {
    await restored.close();
  }
});

test('a damaged file restores nothing, and says which it is', async () => {
  const manifest = await writeBackup(urls.owner, join(folder, 'damaged'), now);
  const pings = manifest.tables.find(({ name }) => name === 'pings');
  const file = fileOf(join(folder, 'damaged'), pings as (typeof manifest.tables)[number]);
  await truncate(file, Math.floor((await stat(file)).size / 2));
  const owner = await emptyPlace();
  await expect(restoreBackup(owner, join(folder, 'damaged'))).rejects.toThrow(/tidings\.pings\.zst/);
  await rm(file);
  await expect(restoreBackup(owner, join(folder, 'damaged'))).rejects.toThrow(/tidings\.pings\.zst/);
  await appendFile(join(folder, 'damaged', 'manifest.json'), 'x');
  await expect(restoreBackup(owner, join(folder, 'damaged'))).rejects.toThrow(/manifest\.json is damaged/);
});

test('a restore that ends in the middle leaves a database into which the next one goes', async () => {
  await writeBackup(urls.owner, join(folder, 'killed'), now);
  const owner = await emptyPlace();
  const ends = () => {
    throw new Error('killed');
  };
  await expect(restoreBackup(owner, join(folder, 'killed'), ends)).rejects.toThrow('killed');
  await restoreBackup(owner, join(folder, 'killed'));
});

test('a backup that fails leaves no folder, and one that is there is not written over', async () => {
  const ends = () => {
    throw new Error('disk full');
  };
  await expect(writeBackup(urls.owner, join(folder, 'failed'), now, ends)).rejects.toThrow('disk full');
  expect((await readdir(folder)).filter((name) => name.startsWith('failed'))).toEqual([]);
  await writeBackup(urls.owner, join(folder, 'kept'), now);
  await expect(writeBackup(urls.owner, join(folder, 'kept'), now)).rejects.toThrow(/exists/);
  expect(existsSync(join(folder, 'kept', 'manifest.json'))).toBe(true);
});

test('a database with data is not restored over', async () => {
  await writeBackup(urls.owner, join(folder, 'over'), now);
  await expect(restoreBackup(urls.owner, join(folder, 'over'))).rejects.toThrow('The database has data.');
  await expect(restoreBackup(urls.owner, join(folder, 'nothing'))).rejects.toThrow(/no whole backup/);
});

test('only the account that made a backup can read it', async () => {
  const { tables } = await writeBackup(urls.owner, join(folder, 'private'), now);
  const modes = await Promise.all(
    [join(folder, 'private'), ...tables.map((table) => fileOf(join(folder, 'private'), table))].map((path) =>
      stat(path),
    ),
  );
  expect(modes.every(({ mode }) => (mode & 0o077) === 0)).toBe(true);
});
