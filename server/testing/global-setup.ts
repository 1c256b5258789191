import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#server/platform/database/migrate.ts';
import { ensureRoles } from '#server/platform/database/roles.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testPostgres: { adminUrl: string; template: string };
  }
}

/**
 * Starts one PostgreSQL server per test run, with a migrated database that each test file copies (`testDatabase()`). It is the
 * embedded server, unless TIDINGS_TEST_POSTGRES names a folder of PostgreSQL programs, or TIDINGS_TEST_DATABASE_URL a running
 * server.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const template = `tidings_template_${process.pid}`;
  try {
    const { owner } = await ensureRoles(server.adminUrl, template);
    await migrate(owner);
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('testPostgres', { adminUrl: server.adminUrl, template });
  return async () => {
    const admin = new pg.Client({ connectionString: server.adminUrl });
    await admin.connect();
    await admin.query(`drop database if exists ${template} with (force)`);
    await admin.end();
    await server.stop();
  };
}

async function startServer(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const { TIDINGS_TEST_DATABASE_URL: url, TIDINGS_TEST_POSTGRES: binaries } = process.env;
  if (url) return { adminUrl: url, stop: async () => {} };
  return startTemporaryPostgres(binaries || undefined);
}
