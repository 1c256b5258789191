/** A search thread: keeps stores and answers from them, away from the thread that serves HTTP. */
import { parentPort, workerData } from 'node:worker_threads';
import { ChangeFollower } from '#server/platform/changes/change-follower.ts';
import { KINDS_OF_ROWS } from '#server/platform/changes/change-log.ts';
import { ReplicaReads } from '#server/platform/changes/replica.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { StoreCache } from './store-cache.ts';
import type { SearchReply, SearchRequest, ThreadData } from './thread-protocol.ts';

/** Milliseconds during which changes are collected before their rows are read. */
const GATHER = 20;

if (!parentPort) throw new Error('This file must run as a worker thread');
const port = parentPort;
const { url, replicaUrl, memory } = workerData as ThreadData;
const send = (reply: SearchReply) => port.postMessage(reply);
const log = (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string) =>
  send({ kind: 'log', level, fields, message });

/** The difference between the process's clock and the machine's, because tests and demos set their own clock. */
let offset = 0;
const now = () => Date.now() + offset;
const OPTIONS = { max: 4, applicationName: 'tidings search' };
const TIMEOUTS = { idleInTransaction: 300_000 };
/** In milliseconds. That a replica is gone without a word is noticed sooner, by looks at it; then its connections are given up. */
const REPLICA_TIMEOUTS = { ...TIMEOUTS, connection: 2000, answer: 30_000 };
const db = openDatabase(url, { ...OPTIONS, timeouts: TIMEOUTS });
const follower = new ChangeFollower(
  db,
  url,
  {
    warn: (fields: unknown, message?: string) =>
      log('warn', { message: String((fields as { err?: Error }).err?.message) }, message ?? ''),
  },
  { kinds: KINDS_OF_ROWS, gather: GATHER, notifiesAlways: true },
);
const replica = replicaUrl === null ? null : readsFrom(replicaUrl);
const started = Promise.all([follower.start(), replica?.reads.start()]);
started.catch(() => {});
const stores = started.then(() => new StoreCache(follower, memory, { db: replica?.reads ?? db, now, log }));
stores.catch(() => {});

function readsFrom(replicaUrl: string): { reads: ReplicaReads; replica: Database } {
  const replica = openDatabase(replicaUrl, { ...OPTIONS, timeouts: REPLICA_TIMEOUTS });
  const report = (reason: string | null) => send({ kind: 'replica', reason });
  return { reads: new ReplicaReads({ primary: db, replica, now }, report), replica };
}

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
  await replica?.reads.stop();
  await Promise.all([db.close(), replica?.replica.close()]);
  port.close();
}
