/** A search thread: it keeps stores and answers from them, apart from the thread that serves HTTP. */
import { parentPort, workerData } from 'node:worker_threads';
import { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import { KINDS_OF_ROWS } from '#server/platform/changes/change-log.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { StoreCache } from './store-cache.ts';
import type { Reply, Request, ThreadData } from './thread-protocol.ts';

/** Milliseconds in which changes are gathered before their rows are read. */
const GATHER = 20;

if (!parentPort) throw new Error('This file runs as a thread');
const port = parentPort;
const { url, memory } = workerData as ThreadData;
const send = (reply: Reply) => port.postMessage(reply);
const log = (level: 'info' | 'warn', fields: Record<string, unknown>, message: string) =>
  send({ kind: 'log', level, fields, message });

/** How far the process's clock is from the machine's: tests and demos have one of their own. */
let offset = 0;
const db = openDatabase(url, { max: 4, applicationName: 'tidings search' });
const follower = new ChangeFollower(
  db,
  url,
  {
    warn: (fields: unknown, message?: string) =>
      log('warn', { message: String((fields as { err?: Error }).err?.message) }, message ?? ''),
  },
  { kinds: KINDS_OF_ROWS, gather: GATHER, tellsAll: true },
);
const started = follower.start();
started.catch(() => {});
const stores = started.then(() => new StoreCache(follower, memory, { db, now: () => Date.now() + offset, log }));
stores.catch(() => {});

port.on('message', (request: Request | 'stop') => {
  if (request === 'stop') void stop();
  else void answer(request);
});

async function answer(request: Request): Promise<void> {
  const { id } = request;
  offset = request.now - Date.now();
  try {
    send({ kind: 'answer', id, result: await (await stores).answer(request) });
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    send({ kind: 'failure', id, message, isUnavailable: error instanceof DatabaseUnavailableError });
  }
}

async function stop(): Promise<void> {
  (await stores.catch(() => null))?.close();
  await follower.stop();
  await db.close();
  port.close();
}
