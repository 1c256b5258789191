import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import { type ClusterLocation, locateCluster, makeDataDir } from './embedded/cluster-location.ts';
import { lockFolder } from './embedded/folder-lock.ts';
import {
  freePort,
  hasEnded,
  initializeCluster,
  isReady,
  launch,
  majorVersion,
  openLog,
  portOf,
  SUPERUSER,
  stop,
  stopOrphan,
} from './embedded/postmaster.ts';

export type EmbeddedOptions = {
  /** The folder that holds everything; created if missing. */
  dataDir: string;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** A folder of PostgreSQL programs to use instead of the packaged ones (for tests). */
  binaries?: string;
  /** PostgreSQL settings that override ours. */
  settings?: Record<string, string>;
};

export type EmbeddedPostgres = {
  /** The superuser's URL for the database `postgres`; the same after every restart of the server. */
  adminUrl: string;
  /** The process id of the running server, or undefined while it is being restarted. */
  pid(): number | undefined;
  /** Shuts the server down cleanly and releases the folder. */
  stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL server of the data folder on a free port of 127.0.0.1, and creates its cluster first if there is none.
 * It starts no matter how the last run ended: an orphaned server is stopped, a stale lock file removed, a crashed database
 * recovered. If the server dies while this process runs, it is restarted on the same port.
 *
 * Throws FolderInUseError if another process uses the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  makeDataDir(options.dataDir);
  const dataDir = realpathSync(options.dataDir);
  const unlock = lockFolder(dataDir);
  try {
    const location = locateCluster(dataDir, options.binaries);
    const running = await run(location, dataDir, options);
    return {
      ...running,
      async stop() {
        await running.stop();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Returns the superuser's URL of the server that runs on a data folder, or null if none does. Starts nothing. */
export function runningUrl(dataDir: string): string | null {
  const elsewhere = join(dataDir, 'postgres.location');
  const cluster = existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').trim() : join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'postgres.password');
  const port = portOf(cluster);
  if (port === null || !existsSync(passwordFile)) return null;
  return superuserUrl(readFileSync(passwordFile, 'utf8').trim(), port);
}

const superuserUrl = (password: string, port: number): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;

async function run(
  location: ClusterLocation,
  dataDir: string,
  { log, settings = {} }: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const logFile = join(dataDir, 'postgres.log');
  const output = openLog(logFile, statSync(logFile, { throwIfNoEntry: false })?.size ?? 0);
  const password = ownPassword(join(dataDir, 'postgres.password'), location.cluster);
  await prepare(location, password, output);
  if (await stopOrphan(location.cluster)) log.warn('Stopped a PostgreSQL server left behind by an earlier run');

  let port = await freePort();
  const url = () => superuserUrl(password, port);
  let stopping = false;
  let child = launch(location, port, output, settings);

  /** Retries the start: the processes of a killed server may hold its shared memory or its port for a few more seconds. */
  async function untilReady(attempts: number, nextPort: () => Promise<number>): Promise<void> {
    for (let attempt = 1; !(await isReady(child, url())); attempt++) {
      if (stopping) return;
      if (attempt >= attempts) throw new Error(`PostgreSQL does not start. See ${logFile}`);
      await sleep(Math.min(100 * 2 ** attempt, 5000));
      if (stopping) return;
      await stopOrphan(location.cluster);
      port = await nextPort();
      child = launch(location, port, output, settings);
    }
  }

  async function restart(): Promise<void> {
    log.error({ code: child.exitCode, signal: child.signalCode }, 'PostgreSQL ended unexpectedly; restarting it');
    child = launch(location, port, output, settings);
    await untilReady(Number.POSITIVE_INFINITY, async () => port);
    if (stopping) return;
    log.warn('PostgreSQL is running again');
    watch();
  }

  function watch(): void {
    const ended = () => {
      if (stopping) return;
      restart().catch((error: unknown) => log.error({ err: error }, 'PostgreSQL could not be restarted'));
    };
    if (hasEnded(child)) ended();
    else child.once('exit', ended);
  }

  await untilReady(8, freePort);
  location.record();
  watch();
  const endWithUs = () => child.kill('SIGINT');
  process.once('exit', endWithUs);
  return {
    adminUrl: url(),
    pid: () => (hasEnded(child) ? undefined : child.pid),
    async stop() {
      stopping = true;
      process.removeListener('exit', endWithUs);
      await stop(child);
    },
  };
}

async function prepare(location: ClusterLocation, password: string, output: number): Promise<void> {
  const version = await majorVersion(location.bin);
  const versionFile = join(location.cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) return initializeCluster(location, password, version, output);
  const uid = process.getuid?.();
  const owner = statSync(location.cluster).uid;
  if (location.account === undefined && owner !== uid) {
    throw new Error(
      `${location.cluster} belongs to another account (uid ${owner}): start Tidings as that account or as root`,
    );
  }
  const createdBy = Number(readFileSync(versionFile, 'utf8'));
  if (createdBy !== version) {
    throw new Error(
      `${location.cluster} was created by PostgreSQL ${createdBy}, and this is ${version}: upgrade it first`,
    );
  }
}

/** Returns the superuser's password: random, kept in a file that only this account can read. */
function ownPassword(path: string, cluster: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  if (existsSync(join(cluster, 'PG_VERSION')))
    throw new Error(`${path} is missing: it holds the password of ${cluster}`);
  const password = randomBytes(32).toString('hex');
  writeFileSync(path, password, { mode: 0o600, flush: true });
  return password;
}
