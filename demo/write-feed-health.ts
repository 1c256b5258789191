import { dismiss } from '#server/intake/messages/dismiss.ts';
import { listMessages } from '#server/intake/messages/list-messages.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { DemoDirectory } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';

const HEDDA: Seat = { user: 'hedda.quill', team: 'mercy-navigators' };
const TEST_MESSAGE = 'FDTEST1';

/**
 * Forgets how many messages the feeds of these senders (MSH-3) usually sent. From now on the demo sends in an hour what its story has in weeks, so that someone
 * who looks at it sees something happen, and every day would be called unusual. They are too new to compare until two weeks of that are there.
 */
export async function forgetUsual(pipeline: Queryable, senders: readonly string[], now: Date): Promise<void> {
  const before = new Date(now.getTime() - 13 * 86_400_000);
  for (const counts of [sql`feed_hours`, sql`facility_hours`])
    await pipeline.query(sql`
      delete from ${counts} h using feeds f
      where f.id = h.feed_id and f.sending_application = any (${senders}::text[]) and h.hour < ${before}`);
}

/** Dismisses one of the two test messages that the urgent care's front desk left in quarantine, as the administrator there does. */
export async function writeDismissal(app: Database, directory: DemoDirectory, now: Date): Promise<void> {
  const actor = await seated(app, directory, HEDDA);
  const { messages } = await asActor(app, actor, 'canManageUsers', (tx) =>
    listMessages(tx, { controlId: TEST_MESSAGE, status: 'QUARANTINED', pageNumber: 1, pageSize: 1 }),
  );
  const [message] = messages;
  if (!message) throw new Error(`The demo's front desk has no quarantined message '${TEST_MESSAGE}'`);
  const reason = { cause: 'TEST', note: 'Kiosk test by the vendor' } as const;
  await dismiss(app, actor, message.id, reason, { now, requestId: 'demo' });
}
