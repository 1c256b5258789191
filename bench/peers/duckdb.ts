/** Programs that search is held against. They are large and no part of the product: npm fetches them when the bench first asks. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What the bench uses of `@duckdb/node-api`. */
interface DuckDb {
  DuckDBInstance: { create: (path: string) => Promise<DuckDbInstance> };
}
interface DuckDbInstance {
  connect: () => Promise<{
    run: (statement: string) => Promise<unknown>;
    runAndReadAll: (statement: string) => Promise<{ getRows: () => unknown[][] }>;
    closeSync: () => void;
  }>;
  closeSync: () => void;
}

const FOLDER = import.meta.dirname;
const NAME = '@duckdb/node-api';

/** Throws where npm cannot fetch it. */
export async function loadDuckDb(): Promise<DuckDb> {
  if (!existsSync(join(FOLDER, 'node_modules', NAME))) {
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: FOLDER,
      stdio: 'inherit',
    });
    if (status !== 0)
      throw new Error('DuckDB could not be installed: npm ci failed in bench/peers, for the reason above');
  }
  return (await import(NAME)) as DuckDb;
}
