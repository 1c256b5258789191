import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processIdentity } from './embedded/processes.ts';
import { openDatabase } from './pool.ts';

type Ready = { adminUrl: string; postmaster: number };
type Started = { child: ChildProcess; line: Ready & { error?: string } };

const script = join(import.meta.dirname, '../../testing/embedded-process.ts');
const asRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

let folder: string;
let dataDir: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tidings-embedded-')));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  children = [];
});

afterEach(async () => {
  for (const child of children) await stop(child);
  rmSync(folder, { recursive: true, force: true });
});

async function start(account: { uid?: number; gid?: number } = {}): Promise<Started> {
  const child = spawn(process.execPath, [script, dataDir], {
    ...account,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, line: JSON.parse(String(line)) };
}

async function ready(account?: { uid: number; gid: number }): Promise<Started> {
  const started = await start(account);
  expect(started.line.error).toBeUndefined();
  return started;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const database = openDatabase(url, { max: 1 });
  try {
    return (await database.query(text)).rows;
  } finally {
    await database.close();
  }
}

const write = ({ line }: Started) => query(line.adminUrl, 'create table kept (n int); insert into kept values (1)');
const kept = ({ line }: Started) => query(line.adminUrl, 'select n from kept');

describe('the embedded database', () => {
  test('keeps what was committed when it is stopped cleanly, and leaves no process and no lock', async () => {
    const first = await ready();
    await write(first);
    await stop(first.child);
    expect(processIdentity(first.line.postmaster)).toBeUndefined();
    expect(existsSync(join(dataDir, 'tidings.lock'))).toBe(false);
    expect(await kept(await ready())).toEqual([{ n: 1 }]);
  });

  test('lets only its owner read its password, and refuses connections without it', async () => {
    const { line } = await ready();
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
    const url = new URL(line.adminUrl);
    url.password = 'guess';
    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test('stops the server orphaned by a kill -9 of our process, and keeps what was committed', async () => {
    const first = await ready();
    await write(first);
    await stop(first.child, 'SIGKILL');
    expect(processIdentity(first.line.postmaster)).toBeDefined();
    const second = await ready();
    expect(processIdentity(first.line.postmaster)).toBeUndefined();
    expect(await kept(second)).toEqual([{ n: 1 }]);
  });

  test('restarts by itself, at the same address, after a kill -9 of the server', async () => {
    const { child, line } = await ready();
    await write({ child, line });
    process.kill(line.postmaster, 'SIGKILL');
    let rows: unknown[] = [];
    for (let tries = 0; tries < 200 && rows.length === 0; tries++) {
      await sleep(50);
      rows = await query(line.adminUrl, 'select n from kept').catch(() => []);
    }
    expect(rows).toEqual([{ n: 1 }]);
    expect(child.exitCode).toBeNull();
  });

  test('starts after both were killed at once', async () => {
    const first = await ready();
    await write(first);
    const ended = stop(first.child, 'SIGKILL');
    process.kill(first.line.postmaster, 'SIGKILL');
    await ended;
    expect(await kept(await ready())).toEqual([{ n: 1 }]);
  });

  test('is not misled by lock files whose process ids belong to other processes now', async () => {
    const first = await ready();
    await write(first);
    await stop(first.child);
    writeFileSync(join(dataDir, 'tidings.lock'), JSON.stringify({ pid: process.pid, identity: 'an earlier boot' }));
    writeFileSync(join(dataDir, 'postgres/postmaster.pid'), `${process.pid}\n${dataDir}/postgres\n`);
    expect(await kept(await ready())).toEqual([{ n: 1 }]);
  });

  test('refuses a second process on the same folder and names both', async () => {
    const first = await ready();
    const second = await start();
    expect(second.line.error).toBe(
      `The data folder ${dataDir} is in use by another Tidings (process ${first.child.pid})`,
    );
    expect(await query(first.line.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('replaces the remains of an interrupted first start', async () => {
    mkdirSync(join(dataDir, 'postgres.new/base'), { recursive: true });
    chmodSync(dataDir, 0o711);
    expect(await query((await ready()).line.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.runIf(asRoot)('runs under an ordinary account, and later when started by root', async ({ skip }) => {
    const reads = spawnSync(process.execPath, ['-e', 'require("node:fs").accessSync(process.argv[1])', script], NOBODY);
    skip(reads.status !== 0, 'the project is in a folder that other accounts may not enter');
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, NOBODY.uid, NOBODY.gid);
    const first = await ready(NOBODY);
    await write(first);
    await stop(first.child);
    expect(await kept(await ready())).toEqual([{ n: 1 }]);
  });

  test.runIf(asRoot)(
    'is placed elsewhere, with a pointer to it, if the server’s account cannot enter root’s folder',
    async () => {
      chmodSync(folder, 0o700);
      const first = await ready();
      await write(first);
      await stop(first.child);
      const place = readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim();
      try {
        expect(place).toMatch(/^\/var\/lib\/tidings\/[0-9a-f]{16}\/postgres$/);
        const second = await ready();
        expect(await kept(second)).toEqual([{ n: 1 }]);
        await stop(second.child);
      } finally {
        rmSync(dirname(place), { recursive: true });
      }
    },
  );
});
