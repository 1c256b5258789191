/** A search thread: keeps stores and answers from them, away from the thread that serves HTTP. */
import { parentPort, workerData } from 'node:worker_threads';
import { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import { KINDS_OF_ROWS } from '#server/platform/changes/change-log.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { StoreCache } from './store-cache.ts';
import type { SearchReply, SearchRequest, ThreadData } from './thread-protocol.ts';

/** Milliseconds during which changes are collected before their rows are read. */
const GATHER = 20;

if (!parentPort) throw new Error('This file must run as a worker thread');
const port = parentPort;
const { url, memory } = workerData as ThreadData;
const send = (reply: SearchReply) => port.postMessage(reply);
const log = (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string) =>
  send({ kind: 'log', level, fields, message });

/** The difference between the process's clock and the machine's, because tests and demos set their own clock. */
let offset = 0;
const db = openDatabase(url, { max: 4, applicationName: 'tidings search', timeouts: { idleInTransaction: 300_000 } });
const follower = new ChangeFollower(
  db,
  url,
  {
    warn: (fields: unknown, message?: string) =>
      log('warn', { message: String((fields as { err?: Error }).err?.message) }, message ?? ''),
  },
  { kinds: KINDS_OF_ROWS, gather: GATHER, notifiesAlways: true },
);
const started = follower.start();
started.catch(() => {});
const stores = started.then(() => new StoreCache(follower, memory, { db, now: () => Date.now() + offset, log }));
stores.catch(() => {});

port.on('message', (request: SearchRequest | 'stop') => {
  if (request === 'stop') void stop();
  else void answer(request);
});

async function answer(request: SearchRequest): Promise<void> {
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
