/**
 * Composes Tidings in the order in which data flows: feeds → store → queue → pipeline → pings → open pages. `config.roles` decides
 * which parts run in this process. Messages, previews and jobs are processed in threads of their own.
 */
import { Resolver } from 'node:dns/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Config, ConfigError } from './config.ts';
import { buildHttp } from './http.ts';
import type { Readings } from './insight/metrics/gauges.ts';
import { listenForOperations } from './insight/metrics/operations-server.ts';
import { newScrape, type Scrape } from './insight/metrics/scrape.ts';
import { MessageStore } from './intake/messages/message-store.ts';
import { ensurePartitions } from './intake/messages/partitions.ts';
import { PreviewThread } from './intake/messages/preview-thread.ts';
import { QueueThread } from './intake/messages/queue-thread.ts';
import { KnownSenders } from './intake/mllp/known-senders.ts';
import { listenMllp, type MllpListener } from './intake/mllp/mllp.ts';
import type { JobThreadData } from './job-thread.ts';
import { readTls } from './mllp-tls.ts';
import { ensureStandardRoles } from './people/accounts/provisioning.ts';
import type { DemoAccount } from './people/accounts/routes.ts';
import { formOrigins } from './people/accounts/sessions/form-origins.ts';
import { databaseSessions } from './people/accounts/sessions/sessions.ts';
import { encryptStoredSecrets } from './people/accounts/stored-secrets.ts';
import { CallAudit } from './people/audit/call-audit.ts';
import { frameOrigins } from './people/sso/frame-origins.ts';
import { ChangeFollower } from './platform/changes/change-follower.ts';
import { proveReplica, ReplicaError } from './platform/changes/replica.ts';
import { type Database, openDatabase } from './platform/database/pool.ts';
import { type RoleUrls, urlAtReplica } from './platform/database/roles.ts';
import { outgoingFetch } from './platform/http/outgoing.ts';
import { type Metrics, newMetrics } from './platform/metrics/metrics.ts';
import { type SecretBox, secretBox } from './platform/secrets/secret-box.ts';
import { readSecretKeys } from './platform/secrets/secret-keys.ts';
import { TaskThreads } from './platform/threads/task-threads.ts';
import { WatchedThread } from './platform/threads/watched-thread.ts';
import { allRoutes } from './routes.ts';
import { SearchPool } from './work/search/search-threads.ts';
import { warmUp } from './work/search/warm-up.ts';

export interface AppOptions {
  config: Config;
  urls: RoleUrls;
  log: Logger;
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

/** In milliseconds. What a page asks for takes far less, and the person has given up by then. */
const WEB_TIMEOUTS = { idleInTransaction: 60_000, statement: 30_000, lock: 10_000, connection: 5000 };
/** Messages and jobs may take long, but not forget a transaction. */
const WORK_TIMEOUTS = { idleInTransaction: 300_000 };

/** Someone waits for the answer. In milliseconds, for one of two tries. */
const resolver = new Resolver({ timeout: 3000, tries: 2 });

const WEB_ROOT = join(import.meta.dirname, '../dist/web');

export async function startApp({ config, urls, log, demoAccounts = [], webRoot = WEB_ROOT }: AppOptions): Promise<App> {
  const { app, pipeline } = openDatabases(urls);
  await ensurePartitions(pipeline, clock());
  await ensureStandardRoles(pipeline);
  const replicaUrl = config.roles.has('web') ? await urlOfReplica(config, urls, app) : undefined;

  const isFeed = config.roles.has('feed');
  const metrics = newMetrics();
  const queue = queueThread({ urls, log }, pipeline, metrics);
  const previews = new PreviewThread({ file: threadFile('preview'), url: urls.pipeline, log });
  const readings = readingThreads(log);
  const store = new MessageStore(pipeline, () => queue.wake(), metrics);
  if (isFeed) await queue.start();
  const senders = new KnownSenders(pipeline, clock, log);
  if (isFeed) await senders.start();
  const listening = { ...config.mllp, tls: readTls(config), store, senders, metrics, log, clock };
  const mllp = isFeed ? await listenMllp(listening) : null;
  const jobs = config.roles.has('worker') ? jobThread({ config, urls, log }, () => queue.wake()) : null;
  await jobs?.start();
  const follower = new ChangeFollower(app, urls.app, log);
  const search = new SearchPool({ url: urls.app, replicaUrl, log, metrics });
  const scrape = scrapeOf({ log, metrics, mllp, search, app, pipeline });
  const web = config.roles.has('web') ? await startWeb() : null;
  const operations = await listenToOperators({ config, scrape, search, pipeline, log });

  return {
    url: web?.url ?? null,
    mllp,
    app,
    pipeline,
    http: web?.http ?? null,
    stop: async () => {
      await operations?.close();
      await mllp?.close();
      senders.stop();
      await web?.http.close();
      await follower.stop();
      await jobs?.stop();
      await Promise.all([search.close(), readings.stop(), previews.stop()]);
      await store.drained();
      await queue.stop();
      await Promise.all([app.close(), pipeline.close()]);
    },
  };

  async function startWeb(): Promise<{ http: FastifyInstance; url: string }> {
    await follower.start();
    warmUp();
    const http = await buildHttp({
      config,
      log,
      db: app,
      sessions: databaseSessions(app, clock, config),
      audit: new CallAudit({ db: app, clock, log }),
      metrics,
      scrape: config.demo ? scrape : undefined,
      usesReplica: () => search.usesReplica,
      webRoot,
      origins: { frame: frameOrigins(app, config.publicUrl), form: formOrigins(app, config.publicUrl) },
      routes: allRoutes({
        app,
        pipeline,
        store,
        follower,
        search,
        clock,
        log,
        config,
        secrets: await openSecrets(config, pipeline),
        demoAccounts,
        outgoing: outgoingFetch(config.allowedNetworks),
        lookUpTxt: (domain) => resolver.resolveTxt(domain),
        wake: () => queue.wake(),
        previews,
        ...readings.run,
      }),
    });
    return { http, url: await http.listen({ host: config.host, port: config.port }) };
  }
}

const clock = (): Date => new Date();

/** Requests of one FHIR feed that wait, beside the one that is looked at, which takes milliseconds. */
const MESSAGES_WAITING = 200;

/** Threads in which files are read, and one of its own for FHIR messages: a notification waits for no document. */
function readingThreads(log: AppOptions['log']) {
  const file = threadFile('reading');
  const files = new TaskThreads({ name: 'readings', file, log });
  const messages = new TaskThreads({ name: 'messages', file, log, threads: 1, waiting: MESSAGES_WAITING });
  return {
    run: { runTask: files.run, lookAtMessage: messages.run },
    stop: async () => void (await Promise.all([files.stop(), messages.stop()])),
  };
}

/** Connections of the two roles. */
function openDatabases(urls: RoleUrls): Pick<App, 'app' | 'pipeline'> {
  return {
    app: openDatabase(urls.app, { max: 20, applicationName: 'tidings web', timeouts: WEB_TIMEOUTS }),
    pipeline: openDatabase(urls.pipeline, { max: 10, applicationName: 'tidings pipeline', timeouts: WORK_TIMEOUTS }),
  };
}

/**
 * Returns the app role's URL at the replica, if there is one. A replica that is down, late or promoted may come back, so it stops no start: the
 * search says that it is out of use. Throws ConfigError if it has the data of another server.
 */
async function urlOfReplica({ databaseReplicaUrl }: Config, urls: RoleUrls, primary: Database) {
  if (databaseReplicaUrl === undefined) return undefined;
  const url = urlAtReplica(urls.app, databaseReplicaUrl);
  const replica = openDatabase(url, { max: 1, applicationName: 'tidings start', timeouts: WEB_TIMEOUTS });
  try {
    await proveReplica({ primary, replica, now: Date.now });
  } catch (error) {
    if (error instanceof ReplicaError && error.isForeign)
      throw new ConfigError(
        `DATABASE_REPLICA_URL must be a hot standby of DATABASE_URL's server, but ${error.message}`,
      );
  } finally {
    await replica.close();
  }
  return url;
}

const threadFile = (name: string): URL => new URL(`./${name}-thread.ts`, import.meta.url);

/** The thread that processes messages. */
function queueThread({ urls, log }: Pick<AppOptions, 'urls' | 'log'>, database: Database, metrics: Metrics) {
  return new QueueThread({
    file: threadFile('pipeline'),
    url: urls.pipeline,
    database,
    log,
    clock,
    onBatch: ({ outcomes, seconds }) => {
      metrics.batches.observe(seconds);
      for (const [status, count] of Object.entries(outcomes)) metrics.processed.inc({ status }, count);
    },
  });
}

/** The server for whoever runs the product, if one is configured. */
async function listenToOperators({ config: { operations }, scrape, search, pipeline, log }: Operating) {
  const usesReplica = () => search.usesReplica;
  return operations && listenForOperations({ ...operations, scrape, db: pipeline, usesReplica, log });
}

interface Operating extends Pick<AppOptions, 'config' | 'log'>, Pick<App, 'pipeline'> {
  scrape: Scrape;
  search: SearchPool;
}

interface Measured extends Pick<AppOptions, 'log'>, Pick<App, 'mllp' | 'app' | 'pipeline'> {
  metrics: Metrics;
  search: SearchPool;
}

/** Returns what reads the metrics of this process. */
function scrapeOf({ log, metrics, mllp, search, app, pipeline }: Measured): Scrape {
  const read = (): Readings => ({
    mllpConnections: mllp?.connections() ?? null,
    searchesWaiting: search.waiting,
    usesReplica: search.usesReplica,
    pools: { web: app.pool, pipeline: pipeline.pool },
  });
  return newScrape({ metrics, db: pipeline, read, clock, log });
}

/** The thread of the jobs. Its only message is that a job has stored something to process. */
function jobThread({ config, urls, log }: Pick<AppOptions, 'config' | 'urls' | 'log'>, onMessage: () => void) {
  const { smtp, twilio, demo, publicUrl } = config;
  const data: JobThreadData = {
    url: urls.pipeline,
    appUrl: urls.app,
    logLevel: log.level,
    config: { smtp, twilio, demo, publicUrl },
  };
  return new WatchedThread({ name: 'jobs', file: threadFile('job'), data, log, onMessage });
}

/** Opens the stored secrets with the configured keys, and brings them all under the first one. */
async function openSecrets({ secretKey }: Config, pipeline: Database): Promise<SecretBox> {
  if (secretKey === null) throw new ConfigError('TIDINGS_SECRET_KEY must be set for a process that serves the web');
  const secrets = secretBox(readSecretKeys(secretKey));
  await encryptStoredSecrets(pipeline, secrets);
  return secrets;
}
