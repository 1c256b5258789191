import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import { lockFolder } from './embedded/folder-lock.ts';
import { findPlace, makeDataDir, type Place } from './embedded/place.ts';
import {
  freePort,
  hasEnded,
  initialise,
  isReady,
  launch,
  majorVersion,
  openLog,
  SUPERUSER,
  stop,
  stopOrphan,
} from './embedded/postmaster.ts';

export type EmbeddedOptions = {
  /** The folder that holds everything; made where it is missing. */
  dataDir: string;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** The folder of other PostgreSQL programs than the packaged ones (tests). */
  binaries?: string;
  /** Settings of PostgreSQL on top of ours. */
  settings?: Record<string, string>;
};

export type EmbeddedPostgres = {
  /** URL of the superuser on the database `postgres`; the same after every restart. */
  adminUrl: string;
  /** The number of the running server process, undefined while it is being restarted. */
  pid(): number | undefined;
  /** Stops the server in order and gives the folder back. */
  stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL that lives in the data folder, making it first where there is none, on a free port of
 * 127.0.0.1. Whatever ended the last run, it comes up: an orphan is stopped, a stale lock file removed, a crashed
 * database recovered. Where the server dies while we run, it is started again on the same port.
 *
 * Throws FolderInUseError where another process has the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  makeDataDir(options.dataDir);
  const dataDir = realpathSync(options.dataDir);
  const unlock = lockFolder(dataDir);
  try {
    const place = findPlace(dataDir, options.binaries);
    const running = await run(place, dataDir, options);
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

async function run(place: Place, dataDir: string, { log, settings = {} }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const logFile = join(dataDir, 'postgres.log');
  const output = openLog(logFile, statSync(logFile, { throwIfNoEntry: false })?.size ?? 0);
  const password = ownPassword(join(dataDir, 'postgres.password'), place.cluster);
  await prepare(place, password, output);
  if (await stopOrphan(place.cluster)) log.warn('Stopped a PostgreSQL that an earlier run had left behind');

  let port = await freePort();
  const url = () => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  let stopping = false;
  let child = launch(place, port, output, settings);

  /** A killed server's processes may hold its shared memory, or its port, for some seconds more. */
  async function untilReady(attempts: number, nextPort: () => Promise<number>): Promise<void> {
    for (let attempt = 1; !(await isReady(child, url())); attempt++) {
      if (stopping) return;
      if (attempt >= attempts) throw new Error(`PostgreSQL does not start; ${logFile} says why`);
      await sleep(Math.min(100 * 2 ** attempt, 5000));
      if (stopping) return;
      await stopOrphan(place.cluster);
      port = await nextPort();
      child = launch(place, port, output, settings);
    }
  }

  async function startAgain(): Promise<void> {
    log.error({ code: child.exitCode, signal: child.signalCode }, 'PostgreSQL ended unexpectedly; starting it again');
    child = launch(place, port, output, settings);
    await untilReady(Number.POSITIVE_INFINITY, async () => port);
    if (stopping) return;
    log.warn('PostgreSQL runs again');
    watch();
  }

  function watch(): void {
    const ended = () => {
      if (stopping) return;
      startAgain().catch((error: unknown) => log.error({ err: error }, 'PostgreSQL could not be started again'));
    };
    if (hasEnded(child)) ended();
    else child.once('exit', ended);
  }

  await untilReady(8, freePort);
  place.remember();
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

async function prepare(place: Place, password: string, output: number): Promise<void> {
  const version = await majorVersion(place.bin);
  const versionFile = join(place.cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) return initialise(place, password, version, output);
  const uid = process.getuid?.();
  const owner = statSync(place.cluster).uid;
  if (place.account === undefined && owner !== uid) {
    throw new Error(
      `${place.cluster} belongs to another account (uid ${owner}): start Tidings as that one, or as root`,
    );
  }
  const made = Number(readFileSync(versionFile, 'utf8'));
  if (made !== version) {
    throw new Error(
      `${place.cluster} was made by PostgreSQL ${made}, and this is ${version}: it has to be upgraded first`,
    );
  }
}

/** The superuser's password: random, in a file that only we can read. */
function ownPassword(path: string, cluster: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  if (existsSync(join(cluster, 'PG_VERSION')))
    throw new Error(`${path} is missing: it holds the password of ${cluster}`);
  const password = randomBytes(32).toString('hex');
  writeFileSync(path, password, { mode: 0o600, flush: true });
  return password;
}
