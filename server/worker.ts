/** Jobs: what runs later or on the clock, on graphile-worker in the same database. A job authorises its actor again when it runs. */
import { parseCronItems, type Runner, run, Logger as WorkerLogger } from 'graphile-worker';
import type { Logger } from 'pino';
import { forgetExpired } from './accounts/clean-up.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { trimChanges } from './database/change-log.ts';
import type { Database } from './database/pool.ts';
import { closeHangingVisits } from './encounters/close-hanging.ts';
import { dropOldPartitions, ensurePartitions } from './ingest/partitions.ts';
import type { MessageStore } from './ingest/store.ts';
import { carriersOf } from './mail/carriers.ts';
import { LETTER_TASK } from './mail/outbox.ts';
import { sendLetter } from './mail/send.ts';
import { retellEncounters, tellOpenEncounters } from './pings/tell.ts';
import { ROSTER_TASK, unfinishedUploads } from './rosters/job.ts';
import { endListings } from './rosters/leaving.ts';
import { processUpload } from './rosters/process.ts';

export interface WorkerDeps {
  /** The pipeline role's. */
  database: Database;
  store: MessageStore;
  clock: Clock;
  log: Logger;
  config: Pick<Config, 'smtp' | 'twilio' | 'demo'>;
}

const EVERY_TEN_MINUTES = '*/10 * * * *';
const DAILY = '17 4 * * *';

export async function startWorker({ database, store, clock, log, config }: WorkerDeps): Promise<Runner> {
  const sending = { database, carriers: carriersOf(config), demo: config.demo };
  const runner = await run({
    pgPool: database.pool,
    concurrency: 2,
    noHandleSignals: true,
    logger: new WorkerLogger(() => (level, message, meta) => logJob(log, level, message, meta)),
    taskList: {
      [ROSTER_TASK]: async (payload, { abortSignal: signal }) => {
        const { uploadId } = payload as { uploadId: string };
        await processUpload(database, uploadId, { clock, pings: { tellOpenEncounters, retellEncounters }, signal });
      },
      [LETTER_TASK]: async (payload) => {
        await sendLetter(sending, (payload as { letterId: string }).letterId, clock());
      },
      'forget-expired': async () => {
        await forgetExpired(database, clock());
      },
      'close-hanging-visits': async () => {
        await closeHangingVisits(database, store, clock());
      },
      'end-listings': async () => {
        await database.transaction((tx) => endListings(tx, clock()));
      },
      'trim-changes': async () => {
        await trimChanges(database, clock());
      },
      'ensure-partitions': async () => {
        await ensurePartitions(database, clock());
      },
      'drop-old-partitions': async () => {
        const dropped = await dropOldPartitions(database, clock());
        if (dropped.length > 0) log.info({ dropped }, 'Messages and audit that are past their time were dropped');
      },
    },
    parsedCronItems: parseCronItems([
      { task: 'close-hanging-visits', match: EVERY_TEN_MINUTES },
      { task: 'end-listings', match: DAILY },
      { task: 'ensure-partitions', match: DAILY },
      { task: 'trim-changes', match: DAILY },
      { task: 'forget-expired', match: DAILY },
      { task: 'drop-old-partitions', match: DAILY },
    ]),
  });
  for (const uploadId of await unfinishedUploads(database))
    await runner.addJob(ROSTER_TASK, { uploadId }, { jobKey: `roster:${uploadId}` });
  return runner;
}

/** Ids and kinds of jobs; payloads and errors' values stay out. */
function logJob(log: Logger, level: string, message: string, meta?: Record<string, unknown>): void {
  if (level === 'debug' || level === 'info') log.debug({ job: message }, 'jobs');
  else
    log[level === 'warning' ? 'warn' : 'error'](
      { err: meta?.['error'] ?? meta?.['failure'] },
      `Jobs: ${message.slice(0, 200)}`,
    );
}
