/**
 * Writes a backup of a database, also while Tidings works on it. All tables are read in one transaction, so that they belong to one moment. The
 * folder gets its name once every file is on the disk and has been read back: there is a whole backup, or none.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connect, copyOut, type StoredTable, storedSequences, storedTables } from './catalog.ts';
import { Digest } from './digest.ts';
import { type BackedUpTable, BackupError, fileOf, MANIFEST, type Manifest } from './manifest.ts';

/** Only the account that made a backup may read it: it has the data of patients. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Writes a backup to a new folder and returns what it has. `now` is noted as the time of the backup. `onTable` is called after each table.
 * Throws BackupError if the folder exists.
 */
export async function writeBackup(
  ownerUrl: string,
  folder: string,
  now: Date,
  onTable: (table: BackedUpTable) => void = () => {},
): Promise<Manifest> {
  const target = resolve(folder);
  if (await exists(target)) throw new BackupError(`${target} exists. Name a folder that does not`);
  const unfinished = `${target}.unfinished`;
  if (await exists(unfinished))
    throw new BackupError(`${unfinished} is left of a backup that was stopped. Remove it first`);
  await mkdir(join(unfinished, 'tables'), { recursive: true, mode: FOLDER_MODE });
  try {
    const manifest = { format: 1 as const, takenAt: now.toISOString(), ...(await read(ownerUrl, unfinished, onTable)) };
    await verifyFiles(unfinished, manifest);
    await writeFile(join(unfinished, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, {
      mode: FILE_MODE,
      flush: true,
    });
    await flush(unfinished);
    await rename(unfinished, target);
    await flush(dirname(target));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

async function flush(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync();
  await handle.close();
}

async function read(
  ownerUrl: string,
  folder: string,
  onTable: (table: BackedUpTable) => void,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences'>> {
  const client = await connect(ownerUrl, 'tidings backup');
  try {
    await client.query('begin isolation level repeatable read, read only');
    const { rows: migrations } = await client.query<{ name: string }>(
      'select name from tidings.migrations order by name',
    );
    const tables: BackedUpTable[] = [];
    for (const table of await storedTables(client)) {
      const written = await writeTable(client, folder, table);
      tables.push(written);
      onTable(written);
    }
    // Values of sequences belong to no snapshot. Read last, they are at least those that the rows have.
    const sequences = await storedSequences(client);
    await client.query('commit');
    return { migrations: migrations.map(({ name }) => name), tables, sequences };
  } finally {
    await client.end();
  }
}

async function writeTable(client: pg.Client, folder: string, table: StoredTable): Promise<BackedUpTable> {
  const digest = new Digest();
  const file = createWriteStream(fileOf(folder, table), { mode: FILE_MODE, flush: true });
  await pipeline(client.query(copyTo(copyOut(table))), digest, createZstdCompress(), file);
  const { schema, name, columns, partition } = table;
  return { schema, name, columns, partition, ...digest.result() };
}

/** Reads every file back. Throws BackupError if one is not what was written. */
export async function verifyFiles(folder: string, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const file = fileOf(folder, table);
    const digest = new Digest();
    try {
      await pipeline(createReadStream(file), createZstdDecompress(), digest, nowhere());
    } catch (error) {
      throw new BackupError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    const { rows, sha256 } = digest.result();
    if (sha256 !== table.sha256 || rows !== table.rows) throw new BackupError(`${file} is not what was backed up`);
  }
}

export const nowhere = (): Writable => new Writable({ write: (_, __, done) => done() });
