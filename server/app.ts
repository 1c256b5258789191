/**
 * Composes Tidings in the order in which data flows: feeds → store → queue → pipeline → pings → open pages. `config.roles` decides
 * which parts run in this process.
 */
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { buildHttp } from './http.ts';
import { MessageQueue } from './intake/messages/message-queue.ts';
import { MessageStore } from './intake/messages/message-store.ts';
import { ensurePartitions } from './intake/messages/partitions.ts';
import { listenMllp, type MllpListener } from './intake/mllp/mllp.ts';
import type { DemoAccount } from './people/accounts/routes.ts';
import { databaseSessions } from './people/accounts/sessions/sessions.ts';
import { frameOrigins } from './people/sso/frame-origins.ts';
import { makePipeline } from './pipeline.ts';
import type { Clock } from './platform/calendar/clock.ts';
import { ChangeFollower } from './platform/changes/change-follower.ts';
import { type Database, openDatabase } from './platform/database/pool.ts';
import type { RoleUrls } from './platform/database/roles.ts';
import { outgoingFetch } from './platform/http/outgoing.ts';
import { allRoutes } from './routes.ts';
import { SearchPool } from './work/search/search-threads.ts';
import { warmUp } from './work/search/warm-up.ts';
import { startWorker } from './worker.ts';

export interface AppOptions {
  config: Config;
  urls: RoleUrls;
  log: Logger;
  clock?: Clock;
  demoAccounts?: readonly DemoAccount[];
  /** The folder of the built pages. */
  webRoot?: string;
}

export interface App {
  /** Null if this process doesn't have the web role. */
  url: string | null;
  mllp: MllpListener | null;
  app: Database;
  pipeline: Database;
  http: FastifyInstance | null;
  /** Accepts nothing new, finishes what has started, then closes. */
  stop: () => Promise<void>;
}

/** In milliseconds, for one of two tries. Someone waits for the answer. */
const DNS_TIMEOUT = 3000;
const WEB_ROOT = join(import.meta.dirname, '../dist/web');

export async function startApp({
  config,
  urls,
  log,
  clock = () => new Date(),
  demoAccounts = [],
  webRoot = WEB_ROOT,
}: AppOptions): Promise<App> {
  const app = openDatabase(urls.app, { max: 20, applicationName: 'tidings web' });
  const pipeline = openDatabase(urls.pipeline, { max: 10, applicationName: 'tidings pipeline' });
  await ensurePartitions(pipeline, clock());

  const isFeed = config.roles.has('feed');
  const queue = new MessageQueue({ database: pipeline, process: makePipeline(clock), log, clock });
  const store = new MessageStore(pipeline, () => queue.wake());
  if (isFeed) queue.start();
  const mllp = isFeed ? await listenMllp({ ...config.mllp, tls: readTls(config), store, log, clock }) : null;
  const worker = config.roles.has('worker')
    ? await startWorker({ database: pipeline, store, clock, log, config })
    : null;

  const follower = new ChangeFollower(app, urls.app, log);
  const search = new SearchPool({ url: urls.app, log });
  const web = config.roles.has('web') ? await startWeb() : null;

  return {
    url: web?.url ?? null,
    mllp,
    app,
    pipeline,
    http: web?.http ?? null,
    stop: async () => {
      await mllp?.close();
      await web?.http.close();
      await follower.stop();
      await search.close();
      await worker?.stop();
      await store.drained();
      await queue.stop();
      await app.close();
      await pipeline.close();
    },
  };

  async function startWeb(): Promise<{ http: FastifyInstance; url: string }> {
    await follower.start();
    warmUp();
    const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: 2 });
    const http = await buildHttp({
      config,
      log,
      db: app,
      sessions: databaseSessions(app, clock),
      webRoot,
      frameOrigins: frameOrigins(app, config.publicUrl),
      routes: allRoutes({
        app,
        pipeline,
        store,
        follower,
        search,
        clock,
        log,
        config,
        demoAccounts,
        outgoing: outgoingFetch(config.allowedNetworks),
        lookUpTxt: (domain) => resolver.resolveTxt(domain),
        wake: () => queue.wake(),
      }),
    });
    const url = await http.listen({ host: config.host, port: config.port });
    return { http, url };
  }
}

function readTls({ mllp: { tls } }: Config) {
  if (!tls) return undefined;
  const read = (path: string) => readFileSync(path);
  return { cert: read(tls.cert), key: read(tls.key), ca: tls.ca ? read(tls.ca) : undefined };
}
