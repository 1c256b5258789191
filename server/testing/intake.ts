/** The real intake on a test's database: listener, store, queue and pipeline, composed as in production. */
import { afterAll } from 'vitest';
import { MessageQueue } from '#server/intake/messages/message-queue.ts';
import { MessageStore } from '#server/intake/messages/message-store.ts';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { KnownSenders } from '#server/intake/mllp/known-senders.ts';
import { listenMllp, type MllpListener, type MllpOptions } from '#server/intake/mllp/mllp.ts';
import type { BudgetLimits } from '#server/intake/mllp/stored-budget.ts';
import { makePipeline } from '#server/pipeline.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { createLog } from '#server/platform/http/log.ts';

export interface Intake {
  /** Refreshed only by the test. */
  senders: KnownSenders;
  store: MessageStore;
  queue: MessageQueue;
  listener: MllpListener;
}

/** Starts the intake on its own port, until the file's last test. The queue works only when the test calls `drain`. */
export async function startIntake(
  database: Database,
  clock: Clock,
  { budget, ...mllp }: Partial<MllpOptions> & { budget?: BudgetLimits } = {},
): Promise<Intake> {
  const log = createLog('silent');
  await ensurePartitions(database, clock());
  const store = new MessageStore(database);
  const queue = new MessageQueue({ database, process: makePipeline(clock), log, clock });
  const senders = new KnownSenders(database, clock, log, budget);
  const listener = await listenMllp({ host: '127.0.0.1', port: 0, store, senders, log, clock, ...mllp });
  afterAll(() => listener.close());
  return { senders, store, queue, listener };
}
