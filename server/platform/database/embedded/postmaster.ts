import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Place } from './place.ts';
import { commandLine, processIdentity } from './processes.ts';

/** The cluster's superuser; used to make the roles of `roles.ts`, never to serve. */
export const SUPERUSER = 'postgres';

/** A port of 127.0.0.1 that nothing listens on just now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : Promise.reject(new Error('No port is free'));
}

/** The major version of the programs, such as 18. */
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
 * Makes the cluster, under another name until it is complete: what an interrupted start left is made anew.
 * The programs print to the file descriptor `output`.
 */
export async function initialise(place: Place, password: string, version: number, output: number): Promise<void> {
  const fresh = `${place.cluster}.new`;
  const passwordFile = `${fresh}-password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (place.account !== undefined) {
    for (const path of [fresh, passwordFile]) chownSync(path, place.account.uid, place.account.gid);
  }
  // Code point order and Unicode case rules that no update of the system's C library can change; 15 has only the latter's.
  const locale =
    version >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C.UTF-8'];
  const initdb = spawn(
    join(place.bin, 'initdb'),
    ['-D', fresh, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', ...locale],
    { ...place.account, cwd: dirname(place.cluster), stdio: ['ignore', output, output] },
  );
  const [code] = await once(initdb, 'close');
  rmSync(passwordFile);
  if (code !== 0) throw new Error(`initdb ended with code ${code}`);
  renameSync(fresh, place.cluster);
}

/** Starts `postgres` in a session of its own, so that a Ctrl-C on the terminal reaches only us, and we stop it in order. */
export function launch(place: Place, port: number, output: number, settings: Record<string, string>): ChildProcess {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A statement or a key in an error's detail may name a patient; errors reach the caller, who decides.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(join(place.bin, 'postgres'), ['-D', place.cluster, ...flags], {
    ...place.account,
    cwd: dirname(place.cluster),
    detached: true,
    stdio: ['ignore', output, output],
  });
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Waits until the server takes connections; false where its process ended first. Recovery may take its time. */
export async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  while (!hasEnded(child)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      // 28P01: the folder's password is not this cluster's; waiting would not help.
      if ((error as { code?: string }).code === '28P01') throw error;
      await sleep(20);
    }
  }
  return false;
}

/**
 * Ends a server that outlived the process which had started it (after kill -9 of that one), and removes a lock file
 * whose server is gone: PostgreSQL itself would be misled by a zombie or by another process with the same number.
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
  throw new Error(`An earlier PostgreSQL (process ${pid}) of ${cluster} does not stop`);
}

/** Stops the server: fast, with a checkpoint; at once where that takes longer than 30 s (it then recovers at its next start). */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const atOnce = setTimeout(() => child.kill('SIGQUIT'), 30_000);
  await ended;
  clearTimeout(atOnce);
}

/** The server's own log in the data folder, begun anew once it has passed 10 MiB. */
export function openLog(path: string, size: number): number {
  return openSync(path, size > 10 * 1024 * 1024 ? 'w' : 'a', 0o600);
}
