import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS, migrate } from '#server/platform/database/migrate.ts';
import type { TestDatabase } from './database.ts';

/** Migrates a database as the version did whose last migration was this file. Returns the names of the files applied now. */
export async function migrateUpTo({ urls }: TestDatabase, last: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-migrations-'));
  try {
    const names = readdirSync(MIGRATIONS).filter((name) => name <= last);
    for (const name of names) cpSync(join(MIGRATIONS, name), join(folder, name));
    return await migrate(urls.owner, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
