/** DuckDB, which search is compared with. It is large and not part of the product, so npm installs it when the bench first needs it. */
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

/** Loads DuckDB, and installs it first if necessary. Throws if npm cannot install it. */
export async function loadDuckDb(): Promise<DuckDb> {
  if (!existsSync(join(FOLDER, 'node_modules', NAME))) {
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: FOLDER,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('Could not install DuckDB: npm ci failed in bench/peers (see the output above)');
  }
  return (await import(NAME)) as DuckDb;
}
