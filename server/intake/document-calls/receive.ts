/** Stores a posted document like a message, then answers; the queue reads it. */
import { hash } from 'node:crypto';
import type { RouteAnswer } from '#contract/routes.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

export interface Sender {
  feedId: string;
  /** What the feed's messages name as their sender. */
  sender: string;
}

const NO_SUCH_TOKEN =
  'This token is unknown, has expired, or was revoked. Nothing was stored. Issue a new one on the feeds page.';

/** Returns the feed of a token that works, if the feed is of the kind. Errors: NOT_SIGNED_IN. */
export async function senderOfToken(
  db: Queryable,
  tokenHash: Buffer,
  kind: 'CCDA' | 'FHIR',
  now: Date,
): Promise<Sender> {
  const { rows } = await forPurpose('sign-in', () =>
    db.query<Sender>(sql`select feed_id as "feedId", sender from use_feed_token(${tokenHash}, ${kind}, ${now})`),
  );
  const [sender] = rows;
  if (sender === undefined) throw new ApiError('NOT_SIGNED_IN', { message: NO_SUCH_TOKEN });
  return sender;
}

/** Resolves once the document is committed. */
export async function receiveDocument(
  store: MessageStore,
  { raw, sender, remote, now }: { raw: Buffer; sender: Sender; remote: string; now: Date },
): Promise<RouteAnswer<'POST /api/documents'>> {
  if (store.isFull(sender.sender)) throw new ApiError('TOO_MANY_REQUESTS');
  const stored = await store.receive(
    {
      source: 'CCDA',
      raw,
      receivedAt: now,
      remote,
      sendingApplication: sender.sender,
      sendingFacility: '',
      controlId: '',
      messageType: 'C-CDA',
      // Who the patient is, only reading tells: a feed's documents about different patients may be read at the same time.
      patientKey: hash('sha256', raw, 'hex').slice(0, 2),
    },
    sender.sender,
  );
  return { id: stored.id, status: (await store.isResend(stored)) ? 'DUPLICATE' : 'PENDING' };
}

/** Returns what became of a document of the feed. Errors: NOT_FOUND. */
export async function outcomeOf(
  db: Queryable,
  messageId: string,
  feedId: string,
): Promise<RouteAnswer<'GET /api/documents/:id'>> {
  const { rows } = await forPurpose('sign-in', () =>
    db.query<Omit<RouteAnswer<'GET /api/documents/:id'>, 'id'>>(
      sql`select status, reason from document_message_outcome(${messageId}, ${feedId})`,
    ),
  );
  const [outcome] = rows;
  if (outcome === undefined) throw new ApiError('NOT_FOUND');
  return { id: messageId, ...outcome };
}
