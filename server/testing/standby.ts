/** A hot standby of a test's PostgreSQL: a copy of its files, as a base backup is, that follows its log over TCP. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';
import { locateCluster } from '#server/platform/database/embedded/cluster-location.ts';
import { freePort, hasEnded, isReady, launch, openLog, stop } from '#server/platform/database/embedded/postmaster.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { ensureRoles, type RoleUrls, urlAtReplica } from '#server/platform/database/roles.ts';
import type { TestDatabase } from './database.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';

export interface Standby {
  /** The superuser's URL; the same after each start. */
  adminUrl: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops following the primary, and begins to accept writes. */
  promote(): Promise<void>;
  /** Receives the primary's log, but shows nothing of it until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Its log, which has every statement. */
  log(): string;
  remove(): Promise<void>;
}

/** Short enough for a test that waits for a conflict with recovery. */
const SETTINGS = {
  wal_retrieve_retry_interval: '100ms',
  max_standby_streaming_delay: '300ms',
  log_statement: 'all',
  max_connections: '300',
  fsync: 'off',
};

/**
 * Starts a server of its own with a migrated database, and a hot standby of it. Both are removed after the file's last test. `replicaUrl`: the
 * app role's URL at the standby.
 */
export async function replicatedDatabase(): Promise<{ database: TestDatabase; standby: Standby; replicaUrl: string }> {
  const primary = await startTemporaryPostgres(BINARIES);
  const urls = await ensureRoles(primary.adminUrl, 'tidings');
  await migrate(urls.owner);
  const standby = await startStandby(primary.adminUrl);
  const open = (role: keyof RoleUrls) => openDatabase(urls[role], { max: 5, applicationName: `test ${role}` });
  const opened = { owner: open('owner'), app: open('app'), pipeline: open('pipeline') };
  afterAll(async () => {
    await Promise.all(Object.values(opened).map((each) => each.close()));
    await standby.remove();
    await primary.stop();
  });
  const adminUrl = new URL(primary.adminUrl);
  adminUrl.pathname = '/tidings';
  const database = { urls, adminUrl: adminUrl.href, ...opened };
  return { database, standby, replicaUrl: urlAtReplica(urls.app, standby.adminUrl) };
}

/** The programs of the test run's server. */
const BINARIES = process.env['TIDINGS_TEST_POSTGRES'] || undefined;

/** Starts a standby of the server on this machine with this superuser's URL. */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-standby-')));
  chmodSync(folder, 0o711);
  const location = locateCluster(folder, BINARIES);
  await copyCluster(primaryUrl, location.cluster);
  const { hostname, port, username, password } = new URL(primaryUrl);
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`;
  const own = { ...SETTINGS, primary_conninfo: primary };
  for (const file of ['standby.signal', 'backup_label']) {
    if (location.account) chownSync(join(location.cluster, file), location.account.uid, location.account.gid);
  }
  const ownPort = await freePort();
  const url = new URL(primaryUrl);
  url.port = String(ownPort);
  const logFile = join(folder, 'postgres.log');
  const output = openLog(logFile, 0);
  let child: ReturnType<typeof launch> | null = null;
  const standby: Standby = {
    adminUrl: url.href,
    async start() {
      if (child && !hasEnded(child)) return;
      child = launch(location, ownPort, output, own);
      if (!(await isReady(child, url.href))) throw new Error(`The standby of ${folder} does not start`);
    },
    async stop() {
      if (child) await stop(child);
    },
    promote: () => ask(url.href, 'select pg_promote() where pg_is_in_recovery()'),
    pause: async () => {
      await ask(url.href, 'select pg_wal_replay_pause()');
      await ask(url.href, SOON_PAUSED);
    },
    resume: () => ask(url.href, 'select pg_wal_replay_resume() where pg_is_in_recovery()'),
    log: () => readFileSync(logFile, 'utf8'),
    async remove() {
      await standby.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await standby.start();
  return standby;
}

/** A pause begins with the next record. */
const SOON_PAUSED = `
do $$ begin
  for look in 1..500 loop
    exit when pg_get_wal_replay_pause_state() = 'paused';
    perform pg_sleep(0.01);
  end loop;
end $$`;

async function copyCluster(primaryUrl: string, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder from pg_backup_start('standby', true)`,
    );
    execFileSync('cp', ['-a', rows[0]?.folder ?? '', target]);
    const { rows: ends } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
    );
    rmSync(join(target, 'postmaster.pid'), { force: true });
    writeFileSync(join(target, 'backup_label'), ends[0]?.label ?? '', { mode: 0o600 });
    writeFileSync(join(target, 'standby.signal'), '', { mode: 0o600 });
  } finally {
    await client.end();
  }
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
