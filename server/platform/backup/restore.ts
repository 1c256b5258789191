/**
 * Restores a backup into an empty database, in one transaction: everything is there and equal to the backup by checksum, or nothing is. The
 * tables get the migrations that they had. The start of Tidings applies those that came since.
 */
import { createReadStream } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { MIGRATIONS, migrate } from '#server/platform/database/migrate.ts';
import { nowhere, verifyFiles } from './backup.ts';
import { connect, copyOut, quoted, storedTables } from './catalog.ts';
import { Digest } from './digest.ts';
import { type BackedUpTable, BackupError, fileOf, type Manifest, readManifest } from './manifest.ts';

/** Restores a backup. `onTable` is called after each table. Throws BackupError if the database is not empty, or the backup not whole. */
export async function restoreBackup(
  ownerUrl: string,
  folder: string,
  onTable: (table: BackedUpTable) => void = () => {},
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  await verifyFiles(folder, manifest);
  const client = await connect(ownerUrl, 'tidings restore');
  try {
    await requireEmpty(client);
    await migrateAsBefore(ownerUrl, manifest);
    await client.query('begin');
    await fill(client, folder, manifest, onTable);
    await compare(client, manifest);
    // Notes for readers of the database that was: transactions here have other numbers.
    await client.query('delete from tidings.change_log');
    await client.query('commit');
    await client.query('analyze');
    return manifest;
  } finally {
    await client.end();
  }
}

/** Accounts exist from the first moment of an installation. A restore that was stopped left tables without them. */
async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('tidings.users') is not null as there`);
  if (!rows[0]?.there) return;
  const { rowCount } = await client.query('select from tidings.organizations limit 1');
  if (rowCount) throw new BackupError('The database has data. Restore into an empty one');
}

async function migrateAsBefore(ownerUrl: string, { migrations }: Manifest): Promise<void> {
  const then = await mkdtemp(join(tmpdir(), 'tidings-migrations-'));
  try {
    for (const name of migrations) {
      await copyFile(join(MIGRATIONS, name), join(then, name)).catch(() => {
        throw new BackupError(`The backup has the migration ${name}, which this version of Tidings does not know`);
      });
    }
    await migrate(ownerUrl, then);
  } finally {
    await rm(then, { recursive: true, force: true });
  }
}

async function fill(
  client: pg.Client,
  folder: string,
  { tables, sequences }: Manifest,
  onTable: (table: BackedUpTable) => void,
): Promise<void> {
  for (const { schema, name, partition } of tables) {
    if (partition)
      await client.query(
        `create table if not exists ${quoted(schema, name)} partition of ${quoted(schema, partition.parent)} ${partition.bounds}`,
      );
  }
  const addKeys = await dropForeignKeys(client);
  const all = (await storedTables(client)).map(({ schema, name }) => quoted(schema, name));
  await client.query(`truncate ${all.join(', ')}`);
  for (const name of all) await client.query(`alter table ${name} disable trigger user`);
  for (const table of tables) {
    const into = copyFrom(
      `copy ${quoted(table.schema, table.name)} (${table.columns.map((column) => quoted(column)).join(', ')}) from stdin`,
    );
    await pipeline(createReadStream(fileOf(folder, table)), createZstdDecompress(), client.query(into));
    onTable(table);
  }
  for (const name of all) await client.query(`alter table ${name} enable trigger user`);
  for (const statement of addKeys) await client.query(statement);
  for (const { schema, name, value, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [quoted(schema, name), value, isCalled]);
}

/** Drops the foreign keys, because tables may refer to each other in a circle. Returns the statements that add them again, and so check them. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select k.conrelid::regclass::text as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_namespace n on n.oid = k.connamespace
     where k.contype = 'f' and k.conparentid = 0 and n.nspname in ('tidings', 'graphile_worker')`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`);
}

/** Reads everything back from the database. Throws BackupError if a table is not equal to the backup. */
async function compare(client: pg.Client, { tables }: Manifest): Promise<void> {
  const stored = new Map((await storedTables(client)).map((table) => [`${table.schema}.${table.name}`, table]));
  for (const { schema, name, sha256, rows } of tables) {
    const table = stored.get(`${schema}.${name}`);
    if (!table) throw new BackupError(`${schema}.${name} is missing after the restore`);
    const digest = new Digest();
    await pipeline(client.query(copyTo(copyOut(table))), digest, nowhere());
    const found = digest.result();
    if (found.sha256 !== sha256)
      throw new BackupError(
        `${schema}.${name} is not equal to the backup: ${found.rows} rows instead of ${rows}, or other values`,
      );
  }
}
