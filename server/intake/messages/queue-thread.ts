/** The message queue in a thread of its own: parsing, folding and matching never hold the thread that serves HTTP and MLLP. */
import type { Logger } from 'pino';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { createLog } from '#server/platform/http/log.ts';
import { runInThread } from '#server/platform/threads/in-thread.ts';
import { LONGEST_STANDSTILL, type ThreadEnd, WatchedThread } from '#server/platform/threads/watched-thread.ts';
import { type Batch, MessageQueue, type Process } from './message-queue.ts';
import { quarantine } from './queries.ts';

const WORKERS = 2;

interface QueueData {
  url: string;
  logLevel: string;
}

export interface QueueThreadOptions {
  /** The module that calls `runQueue`. */
  file: URL;
  /** The database URL of the pipeline role. */
  url: string;
  /** Connections of the pipeline role, for recording what the thread can't record any more. */
  database: Database;
  log: Logger;
  clock: Clock;
  /** Called with what became of each batch. */
  onBatch?: (batch: Batch) => void;
  /** For tests, in milliseconds. */
  longestStandstill?: number;
}

/** The thread of the message queue, seen from outside. */
export class QueueThread {
  readonly #thread: WatchedThread;

  constructor(options: QueueThreadOptions) {
    const { file, url, database, log, clock, onBatch, longestStandstill = LONGEST_STANDSTILL } = options;
    const data: QueueData = { url, logLevel: log.level };
    const onEnd = (end: ThreadEnd) => quarantineCulprit(end, { database, clock, longestStandstill });
    const onMessage = onBatch ?? (() => {});
    this.#thread = new WatchedThread({ name: 'messages', file, data, log, onEnd, onMessage, longestStandstill });
  }

  start(): Promise<void> {
    return this.#thread.start();
  }

  /** Makes the queue look for messages now. */
  wake(): void {
    this.#thread.post('wake');
  }

  /** Stops after the batches in progress. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}

/** A message that was processed by itself when the thread stood still is the cause. In a batch, it is found later, one by one. */
async function quarantineCulprit(
  { stoodStill, workingOn }: ThreadEnd,
  {
    database,
    clock,
    longestStandstill,
  }: Required<Pick<QueueThreadOptions, 'database' | 'clock' | 'longestStandstill'>>,
): Promise<void> {
  if (!stoodStill || workingOn === null) return;
  await quarantine(database, workingOn, { reason: tookTooLong(longestStandstill), attempts: 1, now: clock() });
}

const tookTooLong = (limit: number): string =>
  `Processing took longer than ${limit / 1000} seconds and was stopped. Find this message ID in the server log, then replay the message once the cause is fixed.`;

/** Runs the queue in the current thread, until the thread is asked to stop. */
export function runQueue(makeProcess: (clock: Clock) => Process): Promise<void> {
  return runInThread<QueueData>(({ url, logLevel }, { workOn, send }) => {
    const clock = () => new Date();
    const database = openDatabase(url, { max: 2 * WORKERS, applicationName: 'tidings messages' });
    const log = createLog(logLevel);
    const queue = new MessageQueue({
      database,
      process: makeProcess(clock),
      log,
      clock,
      workers: WORKERS,
      onAlone: workOn,
      onBatch: send,
    });
    queue.start();
    return {
      receive: () => queue.wake(),
      stop: async () => {
        await queue.stop();
        await database.close();
      },
    };
  });
}
