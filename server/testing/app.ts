import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { afterAll } from 'vitest';
import { buildHttp, type HttpOptions } from '#server/http.ts';
import type { UploadToCheck } from '#server/intake/documents/read-upload.ts';
import { MessageQueue } from '#server/intake/messages/message-queue.ts';
import { MessageStore } from '#server/intake/messages/message-store.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { preview } from '#server/intake/messages/preview.ts';
import { type TriedSettings, trySettings } from '#server/intake/messages/try-settings.ts';
import type { RegisteredRoute } from '#server/people/access/route.ts';
import type { AccountDeps } from '#server/people/accounts/routes.ts';
import { formOrigins } from '#server/people/accounts/sessions/form-origins.ts';
import { databaseSessions } from '#server/people/accounts/sessions/sessions.ts';
import { CallAudit } from '#server/people/audit/call-audit.ts';
import { frameOrigins } from '#server/people/sso/frame-origins.ts';
import { makePipeline } from '#server/pipeline.ts';
import { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import { createLog } from '#server/platform/http/log.ts';
import { type OutgoingFetch, outgoingFetch } from '#server/platform/http/outgoing.ts';
import { secretBox } from '#server/platform/secrets/secret-box.ts';
import { performReading } from '#server/readings.ts';
import { checkUpload } from '#server/record/documents/about-another.ts';
import { allRoutes, type RouteDeps } from '#server/routes.ts';
import { SearchPool } from '#server/work/search/search-threads.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type Factories, factories } from './factories.ts';

export { anonymous, CallError, type Client, signIn } from './client.ts';
export { TEST_PASSWORD } from './factories.ts';

/** The clock of a test. Time passes only when the test advances it. */
export interface TestClock {
  now: () => Date;
  advance: (milliseconds: number) => void;
}

export interface TestApp {
  /** The server's URL, without a trailing slash. */
  url: string;
  http: FastifyInstance;
  database: TestDatabase;
  store: MessageStore;
  /** Does nothing until the test calls `start()` or `drain()`. */
  queue: MessageQueue;
  search: SearchPool;
  audit: CallAudit;
  clock: TestClock;
  make: Factories;
}

export interface Overrides {
  /** One that is migrated; a new one by default. */
  database?: TestDatabase;
  /** The app role's URL at a hot standby. */
  replicaUrl?: string;
  config?: Partial<AccountDeps['config'] & HttpOptions['config']>;
  demoAccounts?: AccountDeps['demoAccounts'];
  /** Added to the product's routes; replace those with the same key. */
  routes?: (deps: { database: TestDatabase; clock: TestClock }) => readonly RegisteredRoute[];
  log?: Logger;
  /** Calls identity providers and EHRs; by default those of this machine can be reached. */
  outgoing?: OutgoingFetch;
  /** The domain name system; by default, every record that verifies a domain is published. */
  lookUpTxt?: RouteDeps['lookUpTxt'];
  /** Reads files; by default in the test's own thread. */
  runTask?: RouteDeps['runTask'];
  webRoot?: string;
  /** Served as `/metrics`. */
  scrape?: HttpOptions['scrape'];
  publicCallsPerMinute?: number;
  userCallsPerMinute?: number;
}

const CONFIG = {
  publicUrl: 'http://tidings.test',
  demo: false,
  companyName: 'Tidings',
  support: { email: null, phone: null, link: null },
  /** Emails are only written to the outbox. To send them, a test runs the job. */
  smtp: { url: 'smtp://mail.tidings.test', from: 'Tidings <no-reply@tidings.test>' },
  twilio: { accountSid: 'AC0', authToken: 'secret', from: '+12125550100' },
  neutralAnswers: false,
  sessionHours: 12,
  isProduction: false,
};

/** The box of every test's server. */
export const TEST_SECRETS = secretBox([Buffer.alloc(32, 7)]);

/** Starts a server on a free port with an empty database, or with the given one. Call it at the top of a test file; it stops after the last test. */
export async function startApp(overrides: Overrides = {}): Promise<TestApp> {
  const database = overrides.database ?? (await testDatabase());
  const clock = testClock('2026-11-20T15:00:00.000Z');
  await ensurePartitions(database.pipeline, clock.now());
  const config = { ...CONFIG, ...overrides.config };
  const { demoAccounts = [] } = overrides;
  const log = overrides.log ?? createLog('silent');
  const { app, pipeline, urls } = database;
  const process = makePipeline(clock.now);
  const queue = new MessageQueue({ database: pipeline, process, log, clock: clock.now });
  const store = new MessageStore(pipeline, () => queue.wake());
  const follower = new ChangeFollower(app, urls.app, log);
  await follower.start();
  const search = new SearchPool({ url: urls.app, replicaUrl: overrides.replicaUrl, log, threads: 1 });
  const deps = {
    app,
    pipeline,
    store,
    follower,
    search,
    clock: clock.now,
    log,
    config,
    secrets: TEST_SECRETS,
    demoAccounts,
    lookUpTxt: overrides.lookUpTxt ?? allPublished(database),
    outgoing: overrides.outgoing ?? outgoingFetch(['127.0.0.0/8']),
    wake: () => queue.wake(),
    runTask: overrides.runTask ?? (async (_userId: string, task: object) => performReading(task as never)),
    lookAtMessage: async (_feedId: string, task: object) => performReading(task as never),
    previews: {
      preview: (feedId: string, text: string) => preview({ pipeline, process }, feedId, text, clock.now()),
      trySettings: (feedId: string, tried: TriedSettings) => trySettings(pipeline, feedId, tried, clock.now()),
      checkUpload: async (upload: UploadToCheck) => checkUpload(upload),
    },
  };
  const own = overrides.routes?.({ database, clock }) ?? [];
  const keys = new Set(own.map(({ key }) => key));
  const routes = [...own, ...allRoutes(deps).filter(({ key }) => !keys.has(key))];
  const audit = new CallAudit({ db: app, clock: clock.now, log });
  const http = await buildHttp({
    config,
    log,
    db: app,
    sessions: databaseSessions(app, clock.now, config),
    audit,
    routes,
    usesReplica: () => search.usesReplica,
    scrape: overrides.scrape,
    origins: { frame: frameOrigins(app, config.publicUrl), form: formOrigins(app, config.publicUrl) },
    webRoot: overrides.webRoot ?? join(import.meta.dirname, 'nothing-built'),
    publicCallsPerMinute: overrides.publicCallsPerMinute ?? 1_000_000,
    userCallsPerMinute: overrides.userCallsPerMinute ?? 1_000_000,
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
  afterAll(async () => {
    await http.close();
    await follower.stop();
    await search.close();
    await queue.stop();
  });
  const { port } = http.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    http,
    database,
    store,
    queue,
    search,
    audit,
    clock,
    make: factories(database.pipeline, clock.now),
  };
}

/** Returns the records of every organization that claims the domain. */
function allPublished({ owner }: TestDatabase): RouteDeps['lookUpTxt'] {
  return async (domain) => {
    const { rows } = await owner.query('select token from email_domains where domain = $1', [domain]);
    return rows.map(({ token }) => ['tidings-domain-verification=', String(token)]);
  };
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
