import { expect } from 'vitest';
import { OPERATOR_MAIL_TASK } from '#server/people/admin/operator-mails.ts';
import { createLog } from '#server/platform/http/log.ts';
import { startWorker } from '#server/worker.ts';
import type { TestApp } from './app.ts';

/** Runs the worker until no mail to operators is queued. */
export async function runOperatorMails({ database, store, clock }: TestApp): Promise<void> {
  const config = { smtp: null, twilio: null, demo: true, publicUrl: 'http://tidings.test' };
  const log = createLog('silent');
  const runner = await startWorker({
    database: database.pipeline,
    app: database.app,
    store,
    clock: clock.now,
    log,
    config,
  });
  const queued = async () =>
    (await database.pipeline.query('select from graphile_worker.jobs where task_identifier = $1', [OPERATOR_MAIL_TASK]))
      .rowCount;
  try {
    await expect.poll(queued, { timeout: 15_000 }).toBe(0);
  } finally {
    await runner.stop();
  }
}

/** Moves all letters back by an hour, as if they had been queued that much earlier. */
export async function ageLetters({ database }: TestApp): Promise<void> {
  await database.owner.query("update outbox set created_at = created_at - interval '1 hour'");
}
