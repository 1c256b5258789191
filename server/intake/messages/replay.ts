/** Processing messages again, after a setting was corrected or a feed set up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '#contract/feeds.ts';
import { lockFeeds } from '#server/intake/feeds/feed-lookup.ts';
import { maySeeMessage } from '#server/intake/feeds/feed-scope.ts';
import { checkWholeFeed } from '#server/intake/feeds/list-feeds.ts';
import { requeueQuarantined } from '#server/intake/feeds/queries.ts';
import type { Actor, CallStamp } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { AGAIN, endDismissal } from './dismiss.ts';
import { findMessage } from './list-messages.ts';

export interface ReplayDeps {
  /** Connected as the app role. */
  db: Database;
  /** Wakes the queue of this process; queues of other processes poll. */
  wake: () => void;
}

/** How long a replay waits for the message to be processed, in milliseconds. */
const MAX_WAIT = 3000;

/**
 * Puts a message back into the queue and returns it once it is processed, or still PENDING if that takes too long. Errors: NOT_FOUND;
 * BAD_REQUEST if its bytes are not stored.
 */
export async function replay(
  { db, wake }: ReplayDeps,
  actor: Actor,
  id: string,
  { now, requestId }: CallStamp,
): Promise<Message> {
  await asActor(
    db,
    actor,
    'canManageUsers',
    async (tx) => {
      const from = await putBack(tx, id, now);
      const detail = { from };
      await writeAudit(tx, { action: 'message.replay', subject: 'message', subjectId: id, detail, now, requestId });
    },
    AGAIN,
  );
  wake();
  const reload = () => asActor(db, actor, 'canManageUsers', (tx) => findMessage(tx, id));
  let message = await reload();
  for (
    const until = Date.now() + MAX_WAIT;
    message.status === 'PENDING' && Date.now() < until;
    message = await reload()
  ) {
    await sleep(20);
  }
  return message;
}

/**
 * Puts everything in a feed's quarantine back into the queue and returns how many messages. Errors: NOT_FOUND; NOT_PERMITTED if the feed
 * lists a facility that the actor doesn't manage; BAD_REQUEST if the feed is paused.
 */
export async function replayFeed(
  { db, wake }: ReplayDeps,
  actor: Actor,
  id: string,
  { now, requestId }: CallStamp,
): Promise<{ messages: number }> {
  const messages = await asActor(
    db,
    actor,
    'canManageUsers',
    async (tx) => {
      await checkWholeFeed(tx, id);
      await lockFeeds(tx);
      const { rowCount } = await tx.query(sql`select from feeds where id = ${id} and paused_at is null`);
      if (rowCount === 0)
        throw new ApiError('BAD_REQUEST', { message: 'The feed is paused. Resume it to process its messages.' });
      const count = await requeueQuarantined(tx, id);
      const detail = { messages: count };
      await writeAudit(tx, { action: 'feed.replay', subject: 'feed', subjectId: id, detail, now, requestId });
      return count;
    },
    AGAIN,
  );
  wake();
  return { messages };
}

/** Puts a message back into the queue and returns the status it had. */
async function putBack(tx: ActorTransaction, id: string, now: Date): Promise<string> {
  const { rows } = await tx.query<{ status: string; hasBytes: boolean }>(sql`
    select m.status, m.raw is not null as "hasBytes" from messages m
    where m.id = ${id} and ${maySeeMessage(tx)} for update of m`);
  const [found] = rows;
  if (found === undefined) throw new ApiError('NOT_FOUND');
  if (found.status === 'DUPLICATE') {
    throw new ApiError('BAD_REQUEST', { message: 'This message is a duplicate. Replay the original message instead.' });
  }
  if (!found.hasBytes)
    throw new ApiError('BAD_REQUEST', { message: "This message's text is no longer stored, so it can't be replayed." });
  if (found.status !== 'PENDING') {
    await endDismissal(tx, id, now);
    await tx.query(
      sql`update messages set status = 'PENDING', reason = '', attempts = 0, processed_at = null where id = ${id}`,
    );
  }
  return found.status;
}
