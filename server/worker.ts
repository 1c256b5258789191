/** Jobs that run later or on a schedule, on graphile-worker in the same database. A job authorizes its actor again when it runs. */
import { type CronItem, parseCronItems, type Runner, run, Logger as WorkerLogger } from 'graphile-worker';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { forgetFeedHours, watchSilence } from './intake/feeds/watch-silence.ts';
import { forgetDigests } from './intake/messages/forget-digests.ts';
import type { MessageStore } from './intake/messages/message-store.ts';
import { dropOldPartitions, ensurePartitions } from './intake/messages/partitions.ts';
import { forgetExpired } from './people/accounts/clean-up.ts';
import { mailWaitingRequests, WAITING_REQUESTS_TASK } from './people/admin/access-requests/request-mails.ts';
import { mailOperators, OPERATOR_MAIL_TASK, type WaitingKind } from './people/admin/operator-mails.ts';
import { sealEntries } from './people/audit/seal-entries.ts';
import type { Clock } from './platform/calendar/clock.ts';
import { trimChanges } from './platform/changes/change-log.ts';
import type { Database } from './platform/database/pool.ts';
import { carriersOf } from './platform/mail/carriers.ts';
import { LETTER_TASK } from './platform/mail/outbox.ts';
import { sendLetter } from './platform/mail/send.ts';
import { closeHangingVisits } from './record/encounters/close-hanging.ts';
import { endListings } from './record/listings/end-listings.ts';
import { forgetAttempts } from './record/listings/identity-attempts.ts';
import { evaluateAnew, NEW_VERSION_TASK } from './record/new-version/evaluate-anew.ts';
import { beginRun } from './record/new-version/runs.ts';
import { endExpiredConsents } from './work/consents/end-expired.ts';
import { tendLinks } from './work/facility-links/expire-links.ts';
import { forgetNotifications } from './work/notifications/forget.ts';
import { NOTIFY_QUEUE, NOTIFY_TASK, notify } from './work/notifications/notify.ts';
import { tendHeld } from './work/pre-admit/tend-held.ts';
import { cancelExpired, forgetUploadDetails } from './work/rosters/forget-details.ts';
import { jobKeyOf, ROSTER_TASK, unfinishedUploads } from './work/rosters/job.ts';
import { LargeTurns } from './work/rosters/large-turns.ts';
import { removeBrokenUploads } from './work/rosters/upload.ts';
import { forgetViewers } from './work/worklist/viewers.ts';

export interface WorkerDeps {
  /** Connections of the pipeline role. */
  database: Database;
  /** Connections of the app role, for what a job does as a user. */
  app: Database;
  store: MessageStore;
  clock: Clock;
  log: Logger;
  config: Pick<Config, 'smtp' | 'twilio' | 'demo' | 'publicUrl'>;
}

/** The job that sends what waits; a later one replaces it. */
const WAITING_NOTICES = { jobKey: 'notify-waiting', queueName: NOTIFY_QUEUE, maxAttempts: 1 };

const EVERY_MINUTE = '* * * * *';
const EVERY_FIVE_MINUTES = '*/5 * * * *';
const EVERY_TEN_MINUTES = '*/10 * * * *';
const DAILY = '17 4 * * *';

/** What the job 'forget-expired' deletes. */
const FORGETTING = [
  forgetExpired,
  forgetUploadDetails,
  forgetAttempts,
  forgetViewers,
  forgetNotifications,
  forgetFeedHours,
  forgetDigests,
];

/** When jobs run that nothing else starts. */
const SCHEDULE: CronItem[] = [
  { task: 'end-consents', match: EVERY_MINUTE },
  // What arrives wakes it sooner; this is for digests, the end of quiet hours, and wake-ups that were lost.
  {
    task: NOTIFY_TASK,
    match: EVERY_MINUTE,
    options: { queueName: NOTIFY_QUEUE, jobKey: 'notify-each-minute', maxAttempts: 1 },
  },
  { task: 'tend-facility-links', match: EVERY_MINUTE },
  { task: 'tend-held-patients', match: EVERY_MINUTE },
  { task: 'watch-feeds', match: EVERY_MINUTE },
  { task: WAITING_REQUESTS_TASK, match: EVERY_MINUTE },
  { task: 'seal-audit', match: EVERY_FIVE_MINUTES },
  { task: 'close-hanging-visits', match: EVERY_TEN_MINUTES },
  { task: 'remove-broken-uploads', match: EVERY_TEN_MINUTES },
  { task: 'end-listings', match: DAILY },
  { task: 'ensure-partitions', match: DAILY },
  { task: 'trim-changes', match: DAILY },
  { task: 'forget-expired', match: DAILY },
  { task: 'drop-old-partitions', match: DAILY },
];

export async function startWorker({ database, app, store, clock, log, config }: WorkerDeps): Promise<Runner> {
  const rosters = new LargeTurns();
  const sending = { database, carriers: carriersOf(config), demo: config.demo };
  const runner = await run({
    pgPool: database.pool,
    // One more than rosters and the rest need, because the job of a new matcher version may take an hour.
    concurrency: 3,
    noHandleSignals: true,
    logger: new WorkerLogger(() => (level, message, meta) => logJob(log, level, message, meta)),
    taskList: {
      [ROSTER_TASK]: async (payload, { abortSignal: signal, addJob }) => {
        const { uploadId } = payload as { uploadId: string };
        const runAt = await rosters.work(database, uploadId, { clock, signal });
        if (runAt !== null) await addJob(ROSTER_TASK, { uploadId }, { jobKey: jobKeyOf(uploadId), runAt });
      },
      [LETTER_TASK]: async (payload) => {
        await sendLetter(sending, (payload as { letterId: string }).letterId, clock());
      },
      [OPERATOR_MAIL_TASK]: async (payload) => {
        await mailOperators(database, (payload as { kind: WaitingKind }).kind, config.publicUrl, clock());
      },
      [WAITING_REQUESTS_TASK]: async () => {
        await mailWaitingRequests(database, config.publicUrl, clock());
      },
      [NOTIFY_TASK]: async (_payload, { addJob }) => {
        const next = await notify({ app, pipeline: database, publicUrl: config.publicUrl }, clock());
        if (next !== null) await addJob(NOTIFY_TASK, {}, { ...WAITING_NOTICES, runAt: new Date(next) });
      },
      [NEW_VERSION_TASK]: (_payload, { abortSignal: signal }) => evaluateAnew(database, { clock, log, signal }),
      'forget-expired': async () => {
        for (const forget of FORGETTING) await forget(database, clock());
      },
      'close-hanging-visits': async () => {
        await closeHangingVisits(database, store, clock());
      },
      'remove-broken-uploads': async () => {
        await removeBrokenUploads(database, clock());
        await cancelExpired(database, clock());
      },
      'seal-audit': async () => {
        await sealEntries(database, clock());
      },
      'end-consents': async () => {
        await endExpiredConsents(database, clock());
      },
      'tend-facility-links': async () => {
        await tendLinks(database, store, clock());
      },
      'tend-held-patients': async () => {
        await tendHeld(database, clock());
      },
      'watch-feeds': async () => {
        await watchSilence(database, clock());
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
        if (dropped.length > 0) log.info({ dropped }, 'Dropped partitions of messages and audit past their retention');
      },
    },
    parsedCronItems: parseCronItems(SCHEDULE),
  });
  for (const uploadId of await unfinishedUploads(database))
    await runner.addJob(ROSTER_TASK, { uploadId }, { jobKey: jobKeyOf(uploadId) });
  if (await beginRun(database, clock())) await runner.addJob(NEW_VERSION_TASK, {}, { jobKey: NEW_VERSION_TASK });
  return runner;
}

/** Logs ids and kinds of jobs; payloads and values in errors stay out of the log. */
function logJob(log: Logger, level: string, message: string, meta?: Record<string, unknown>): void {
  if (level === 'debug' || level === 'info') log.debug({ job: message }, 'jobs');
  else
    log[level === 'warning' ? 'warn' : 'error'](
      { err: meta?.['error'] ?? meta?.['failure'] },
      `Job: ${message.slice(0, 200)}`,
    );
}
