import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { afterAll } from 'vitest';
import { type RouteKey, routes as table } from '#contract/routes.ts';
import { type AccountDeps, accountRoutes } from '#server/accounts/routes.ts';
import { databaseSessions } from '#server/accounts/sessions.ts';
import { ApiError } from '#server/api-error.ts';
import { buildHttp, type HttpOptions } from '#server/http/app.ts';
import { createLog } from '#server/http/log.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { ensurePartitions } from '#server/ingest/partitions.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type Factories, factories } from './factories.ts';

export { anonymous, CallError, type Client, signIn } from './client.ts';
export { TEST_PASSWORD } from './factories.ts';

/** The time of a test; it stands until the test moves it. */
export interface TestClock {
  now: () => Date;
  advance: (milliseconds: number) => void;
}

export interface TestApp {
  /** Where it listens, without a slash at the end. */
  url: string;
  http: FastifyInstance;
  database: TestDatabase;
  clock: TestClock;
  make: Factories;
}

export interface Overrides {
  config?: Partial<AccountDeps['config'] & HttpOptions['config']>;
  demoAccounts?: AccountDeps['demoAccounts'];
  /** Instead of, or beside, those of the accounts; the rest of the table answers NOT_READY. */
  routes?: (deps: { database: TestDatabase; clock: TestClock }) => readonly RegisteredRoute[];
  log?: Logger;
  webRoot?: string;
  publicCallsPerMinute?: number;
}

const CONFIG = {
  publicUrl: 'http://tidings.test',
  demo: false,
  companyName: 'Tidings',
  support: { email: null, phone: null, link: null },
};

/** A server on a port of its own with a fresh database; called at the top of a test file, and gone with its last test. */
export async function startApp(overrides: Overrides = {}): Promise<TestApp> {
  const database = await testDatabase();
  const clock = testClock('2026-11-20T15:00:00.000Z');
  await ensurePartitions(database.pipeline, clock.now());
  const config = { ...CONFIG, ...overrides.config };
  const { demoAccounts = [] } = overrides;
  const own = overrides.routes?.({ database, clock }) ?? [];
  const keys = new Set(own.map(({ key }) => key));
  const accounts = accountRoutes({ db: database.app, now: clock.now, config, demoAccounts });
  const composed = [...own, ...accounts.filter(({ key }) => !keys.has(key))];
  const http = await buildHttp({
    config,
    log: overrides.log ?? createLog('silent'),
    db: database.app,
    sessions: databaseSessions(database.app, clock.now),
    routes: [...composed, ...notYet(composed)],
    webRoot: overrides.webRoot ?? join(import.meta.dirname, 'nothing-built'),
    publicCallsPerMinute: overrides.publicCallsPerMinute ?? 1_000_000,
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
  afterAll(() => http.close());
  const { port } = http.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, http, database, clock, make: factories(database.pipeline, clock.now) };
}

/** The rows of the table that no domain serves yet: behind their gate they answer NOT_READY. */
function notYet(composed: readonly RegisteredRoute[]): RegisteredRoute[] {
  const have = new Set(composed.map(({ key }) => key));
  const missing = (Object.keys(table) as RouteKey[]).filter((key) => !have.has(key));
  return missing.map((key) =>
    route(key, () => {
      throw new ApiError('NOT_READY');
    }),
  );
}

function testClock(start: string): TestClock {
  let at = Date.parse(start);
  return {
    now: () => new Date(at),
    advance: (milliseconds) => {
      at += milliseconds;
    },
  };
}
