/** What a backup consists of: `manifest.json`, written last, and a file for each table below `tables/`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export const MANIFEST = 'manifest.json';

const table = z.strictObject({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  /** Of a partition: what it is part of, and its bounds as DDL says them. */
  partition: z.strictObject({ parent: z.string(), bounds: z.string() }).nullable(),
  rows: z.number(),
  /** Of the text of COPY in the order of the primary key, in bytes and as SHA-256. */
  bytes: z.number(),
  sha256: z.string(),
});
export type BackedUpTable = z.infer<typeof table>;

const sequence = z.strictObject({ schema: z.string(), name: z.string(), value: z.string(), isCalled: z.boolean() });
export type BackedUpSequence = z.infer<typeof sequence>;

const manifest = z.strictObject({
  format: z.literal(1),
  /** When the backup began: it has everything that was committed then, and nothing later. ISO 8601. */
  takenAt: z.string(),
  /** The migrations that the database had. */
  migrations: z.array(z.string()),
  tables: z.array(table),
  sequences: z.array(sequence),
});
export type Manifest = z.infer<typeof manifest>;

/** A backup cannot be made, read or restored. The message says what is wrong. */
export class BackupError extends Error {
  override name = 'BackupError';
}

export const fileOf = (folder: string, { schema, name }: Pick<BackedUpTable, 'schema' | 'name'>): string =>
  join(folder, 'tables', `${schema}.${name}.zst`);

/** Reads what a backup has. Throws BackupError if the folder holds no whole backup that this version knows. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new BackupError(`There is no whole backup in ${folder}: it has no ${MANIFEST}`);
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${join(folder, MANIFEST)} is damaged, or of another version of Tidings`);
  }
}
