/** A job that runs every minute: removes holds that are over, and asks the matcher again who the others are. */
import { MINUTE } from '#contract/durations.ts';
import { HELD_HOURS } from '#contract/pre-admit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { logHeld } from '#server/record/listings/held.ts';
import { matchHeld } from './pre-admit.ts';

/** How long an answer of the matcher is kept. In milliseconds. */
const ASK_AGAIN_AFTER = 10 * MINUTE;
/** Holds that one run matches; the next run matches the others. */
const MOST = 100;

/** `pipeline`: connected as the pipeline role. */
export async function tendHeld(pipeline: Database, now: Date): Promise<void> {
  const admittedBefore = new Date(now.getTime() - HELD_HOURS * 60 * MINUTE);
  await pipeline.transaction(async (tx) => {
    const over = await tx.query<{ groupId: string }>(sql`
      delete from held_patients where expires_at <= ${now} and admitted_at is null or admitted_at <= ${admittedBefore}
      returning group_id as "groupId"`);
    await logHeld(
      tx,
      'over',
      over.rows.map(({ groupId }) => groupId),
      now,
    );
  });
  const { rows } = await pipeline.query<Parameters<typeof matchHeld>[1]>(sql`
    select id, group_id as "groupId", first_name as "firstName", last_name as "lastName", gender, date_of_birth as dob, zip, ssn_last4 as ssn
    from held_patients
    where admitted_at is null and (checked_at is null or checked_at <= ${new Date(now.getTime() - ASK_AGAIN_AFTER)})
    order by checked_at nulls first, id limit ${MOST}`);
  for (const held of rows) await matchHeld(pipeline, held, now);
}
