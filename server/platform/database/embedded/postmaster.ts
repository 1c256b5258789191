import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ClusterLocation } from './cluster-location.ts';
import { commandLine, processIdentity } from './processes.ts';

/** The cluster's superuser; only creates the roles of `roles.ts`. */
export const SUPERUSER = 'postgres';

/** Returns a port of 127.0.0.1 that is free right now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : Promise.reject(new Error('No port is free'));
}

/** Returns the major version of the programs, such as 18. */
export async function majorVersion(bin: string): Promise<number> {
  const child = spawn(join(bin, 'postgres'), ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  return Number(/(\d+)/.exec(output)?.[1] ?? Number.NaN);
}

/**
 * Creates the cluster under a temporary name until it is complete, so that the remains of an interrupted start are replaced.
 * initdb writes to the file descriptor `output`.
 */
export async function initializeCluster(
  location: ClusterLocation,
  password: string,
  version: number,
  output: number,
): Promise<void> {
  const fresh = `${location.cluster}.new`;
  const passwordFile = `${fresh}-password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (location.account !== undefined) {
    for (const path of [fresh, passwordFile]) chownSync(path, location.account.uid, location.account.gid);
  }
  // The builtin provider sorts by code point and has its own case rules, so updates of the C library change nothing. Versions
  // before 17 only have the C library's C.UTF-8.
  const locale =
    version >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C.UTF-8'];
  const initdb = spawn(
    join(location.bin, 'initdb'),
    ['-D', fresh, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', ...locale],
    { ...location.account, cwd: dirname(location.cluster), stdio: ['ignore', output, output] },
  );
  const [code] = await once(initdb, 'close');
  rmSync(passwordFile);
  if (code !== 0) throw new Error(`initdb ended with code ${code}; postgres.log in the data folder says why`);
  renameSync(fresh, location.cluster);
}

const MIB = 2 ** 20;

/**
 * Memory for pages, in MiB: a sixteenth of the machine's, between PostgreSQL's own default and what the indexes of a few million people need. Pages that are
 * not there are copied from the system's cache, each for as long as several look-ups take.
 */
function sharedBuffers(): string {
  const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return `${Math.round(Math.min(1024, Math.max(128, available / MIB / 16)))}MB`;
}

/** Starts `postgres` in a session of its own, so that Ctrl-C reaches only this process, which then shuts the server down. */
export function launch(
  location: ClusterLocation,
  port: number,
  output: number,
  settings: Record<string, string>,
): ChildProcess {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    shared_buffers: sharedBuffers(),
    // After each checkpoint the log takes every page that changes as a whole. With the default, a backlog has one every few seconds.
    max_wal_size: '2GB',
    // A statement, or a key in an error's detail, may name a patient. Callers get errors and decide what to log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(join(location.bin, 'postgres'), ['-D', location.cluster, ...flags], {
    ...location.account,
    cwd: dirname(location.cluster),
    detached: true,
    stdio: ['ignore', output, output],
  });
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Waits until the server accepts connections, which may take long after a crash. Returns false if its process ended first. */
export async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  while (!hasEnded(child)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      // 28P01: the stored password is not this cluster's, so waiting would not help.
      if ((error as { code?: string }).code === '28P01') throw error;
      await sleep(20);
    }
  }
  return false;
}

/** Returns the port of the server that runs on the cluster, or null. The fourth line of postmaster.pid has it. */
export function portOf(cluster: string): number | null {
  const path = join(cluster, 'postmaster.pid');
  if (!existsSync(path)) return null;
  const [pid, , , port] = readFileSync(path, 'utf8').split('\n').map(Number);
  return pid !== undefined && pid > 1 && commandLine(pid).includes(cluster) && port !== undefined ? port : null;
}

/**
 * Stops a server that outlived the process that started it (after kill -9), and returns whether there was one. Removes a lock
 * file whose server has ended: PostgreSQL itself would be misled by a zombie, or by another process with the same id.
 */
export async function stopOrphan(cluster: string): Promise<boolean> {
  const path = join(cluster, 'postmaster.pid');
  if (!existsSync(path)) return false;
  const pid = Number(readFileSync(path, 'utf8').split('\n', 1)[0]);
  if (!(pid > 1) || !commandLine(pid).includes(cluster)) {
    rmSync(path, { force: true });
    return false;
  }
  for (const [signal, seconds] of [['SIGINT', 30] as const, ['SIGQUIT', 10] as const]) {
    process.kill(pid, signal);
    for (let waited = 0; waited < seconds * 50; waited++) {
      if (processIdentity(pid) === undefined) {
        rmSync(path, { force: true });
        return true;
      }
      await sleep(20);
    }
  }
  throw new Error(`An earlier PostgreSQL server of ${cluster} (process ${pid}) does not stop`);
}

/** Shuts the server down with a checkpoint, or immediately if that takes longer than 30 s; it then recovers on its next start. */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const immediate = setTimeout(() => child.kill('SIGQUIT'), 30_000);
  await ended;
  clearTimeout(immediate);
}

/** Opens the server's log file in the data folder; a log over 10 MiB is overwritten. */
export function openLog(path: string, size: number): number {
  return openSync(path, size > 10 * 1024 * 1024 ? 'w' : 'a', 0o600);
}
