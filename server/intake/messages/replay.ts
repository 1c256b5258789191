/** Processing messages again, after a setting was mended or a feed resumed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '#contract/feeds.ts';
import { lockFeeds } from '#server/intake/feeds/feed-lookup.ts';
import { maySeeMessage } from '#server/intake/feeds/feed-scope.ts';
import { checkWholeFeed } from '#server/intake/feeds/list-feeds.ts';
import { requeueQuarantined } from '#server/intake/feeds/queries.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { findMessage } from './list-messages.ts';

export interface ReplayDeps {
  /** The app role's. */
  db: Database;
  /** Wakes the queue of this process; those of others look by themselves. */
  wake: () => void;
}

/** How long the caller waits for the message to be processed, in milliseconds. */
const WAIT_FOR = 3000;

/**
 * Puts a message back into the queue and answers it as it stands when it is processed, or still PENDING where that takes longer.
 * Errors: NOT_FOUND; BAD_REQUEST where its bytes are not here.
 */
export async function replay(
  { db, wake }: ReplayDeps,
  actor: Actor,
  id: string,
  { now, requestId }: { now: Date; requestId: string },
): Promise<Message> {
  await asActor(db, actor, 'canManageUsers', async (tx) => {
    const from = await putBack(tx, id);
    const detail = { from };
    await writeAudit(tx, { action: 'message.replay', subject: 'message', subjectId: id, detail, now, requestId });
  });
  wake();
  const look = () => asActor(db, actor, 'canManageUsers', (tx) => findMessage(tx, id));
  let message = await look();
  for (
    const until = Date.now() + WAIT_FOR;
    message.status === 'PENDING' && Date.now() < until;
    message = await look()
  ) {
    await sleep(20);
  }
  return message;
}

/**
 * Puts all that stands in a feed's quarantine back into the queue, the oldest first, and answers how many messages that are.
 * Errors: NOT_FOUND; NOT_PERMITTED where the feed names a facility that is not the actor's to manage; BAD_REQUEST where it is paused.
 */
export async function replayFeed(
  { db, wake }: ReplayDeps,
  actor: Actor,
  id: string,
  { now, requestId }: { now: Date; requestId: string },
): Promise<{ messages: number }> {
  const messages = await asActor(db, actor, 'canManageUsers', async (tx) => {
    await checkWholeFeed(tx, id);
    await lockFeeds(tx);
    const { rowCount } = await tx.query(sql`select from feeds where id = ${id} and paused_at is null`);
    if (rowCount === 0) throw new ApiError('BAD_REQUEST', { message: 'The feed is paused: resume it instead.' });
    const count = await requeueQuarantined(tx, id);
    const detail = { messages: count };
    await writeAudit(tx, { action: 'feed.replay', subject: 'feed', subjectId: id, detail, now, requestId });
    return count;
  });
  wake();
  return { messages };
}

/** Answers the status that it had. */
async function putBack(tx: ActorTransaction, id: string): Promise<string> {
  const { rows } = await tx.query<{ status: string; hasBytes: boolean }>(sql`
    select m.status, m.raw is not null as "hasBytes" from messages m
    where m.id = ${id} and ${maySeeMessage(tx)} for update of m`);
  const [found] = rows;
  if (found === undefined) throw new ApiError('NOT_FOUND');
  if (found.status === 'DUPLICATE') {
    throw new ApiError('BAD_REQUEST', { message: 'This is a resend of a message that we have: replay the first one.' });
  }
  if (!found.hasBytes) throw new ApiError('BAD_REQUEST', { message: 'The text of this message is no longer kept.' });
  if (found.status !== 'PENDING') {
    await tx.query(
      sql`update messages set status = 'PENDING', reason = '', attempts = 0, processed_at = null where id = ${id}`,
    );
  }
  return found.status;
}
