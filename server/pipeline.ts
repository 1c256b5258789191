/**
 * What happens to a message: text → facts → visits and events → person → pings. Each batch is one transaction, so a message is
 * processed completely or not at all. Read this after app.ts, and `settleDossiers` after this.
 */

import { setImmediate } from 'node:timers/promises';
import { countHealth, type ReceivedFirst } from './intake/feeds/count-health.ts';
import { countOutpatientCodes, messagesWithFacts } from './intake/feeds/count-outpatient-codes.ts';
import { countFacilities } from './intake/feeds/facility-silence.ts';
import { feedsOf, isShared } from './intake/feeds/feed-lookup.ts';
import { countDateOrders, countReceived } from './intake/feeds/queries.ts';
import type { Process } from './intake/messages/message-queue.ts';
import type { MessageOutcome, PendingMessage } from './intake/messages/queries.ts';
import { type ReadMessage, readMessage } from './intake/messages/read-message.ts';
import type { Clock } from './platform/calendar/clock.ts';
import type { Transaction } from './platform/database/pool.ts';
import { refuseAboutAnother } from './record/documents/about-another.ts';
import { type NewDocument, storeDocuments } from './record/documents/store-documents.ts';
import { type NewFact, placeFacts } from './record/encounters/dossiers.ts';
import { type SettleOptions, settleDossiers } from './record/listings/settle-dossiers.ts';

/** How many messages are read before another batch gets a turn: it may hold locks while it waits for this thread. */
const AT_ONCE = 5;

export function makePipeline(clock: Clock): Process {
  return async (tx, messages) => {
    const now = clock();
    const feeds = await feedsOf(tx, messages);
    const read: ReadMessage[] = [];
    for (const [index, message] of messages.entries()) {
      if (index > 0 && index % AT_ONCE === 0) await setImmediate();
      read.push(refuseAboutAnother(readMessage(message, feeds[index] ?? null)));
    }
    const facts = messages.flatMap((message, index) => factsOf(message, read[index] as ReadMessage));
    const messageIds = messages.filter((_, index) => read[index]?.kind !== 'hold').map(({ id }) => id);
    // A message that waited, such as for its feed to be resumed, has a feed and no facts.
    const applied = await messagesWithFacts(tx, messages);
    await storeDocuments(
      tx,
      messages.flatMap((message, index) => documentsOf(message, read[index] as ReadMessage)),
      messageIds,
      now,
    );
    await applyFacts(tx, facts, messageIds, now);
    const first = messages.flatMap((message, index) => (applied.has(message.id) ? [] : ofFeed(message, read[index])));
    const [outcomes] = await Promise.all([
      outcomesOf(tx, messages, read),
      countOutpatientCodes(tx, first, now),
      countHealth(tx, first),
      countFacilities(tx, first),
      // A message that is processed again was received before.
      countReceived(
        tx,
        messages.flatMap((message, index) => (message.feedId === null ? received(message, read[index]) : [])),
      ),
      countDateOrders(
        tx,
        messages.flatMap((message, index) => seenIn(message, read[index] as ReadMessage)),
      ),
    ]);
    return outcomes;
  };
}

const received = ({ receivedAt }: PendingMessage, read: ReadMessage | undefined) => [
  { feedId: read?.feed?.id ?? null, receivedAt },
];

const seenIn = ({ receivedAt }: PendingMessage, { feed, seenOrders = [] }: ReadMessage) =>
  feed ? seenOrders.map((seen) => ({ feedId: feed.id, receivedAt, seen })) : [];

/** Returns the facts that a message gives. */
export function factsOf(message: PendingMessage, read: ReadMessage): NewFact[] {
  if (read.kind !== 'facts') return [];
  return read.facts.map(({ groupId, adt, manualCode }, ordinal) => ({
    messageId: message.id,
    receivedAt: message.receivedAt,
    ordinal,
    groupId,
    adt,
    manualCode,
    isBackfill: read.feed?.isBackfill ?? false,
    sharedFeedId: read.feed && isShared(read.feed) ? read.feed.id : null,
  }));
}

/** Returns the facts of a message that came from a feed. */
function ofFeed({ id, receivedAt }: PendingMessage, read: ReadMessage | undefined): ReceivedFirst[] {
  if (read?.kind !== 'facts' || read.feed === null) return [];
  const { feed } = read;
  return read.facts.map(({ groupId, adt }, ordinal) => ({ messageId: id, ordinal, groupId, feed, adt, receivedAt }));
}

function documentsOf(message: PendingMessage, read: ReadMessage): NewDocument[] {
  if (read.kind !== 'facts') return [];
  const [fact] = read.facts;
  if (fact === undefined || read.documents === undefined) return [];
  return read.documents.map((document, ordinal) => ({
    messageId: message.id,
    receivedAt: message.receivedAt,
    ordinal,
    groupId: fact.groupId,
    sentAt: fact.adt.sentAt?.instant ?? null,
    document,
  }));
}

/** Facts → dossiers → visits, persons, listings and pings. The facts replace all earlier facts of the messages `messageIds`. */
export async function applyFacts(
  tx: Transaction,
  facts: NewFact[],
  messageIds: readonly string[],
  now: Date,
  options?: SettleOptions,
): Promise<void> {
  const unsettled = await placeFacts(tx, facts, messageIds, now);
  if (unsettled.dossierIds.length > 0) await settleDossiers(tx, unsettled, now, options);
}

/** Returns what became of each message. For messages with facts, the reason is what the fold says about them. */
export async function outcomesOf(
  tx: Transaction,
  messages: PendingMessage[],
  read: ReadMessage[],
): Promise<MessageOutcome[]> {
  const { rows } = await tx.query<{ messageId: string; outcome: string }>(
    `select message_id as "messageId", string_agg(distinct nullif(outcome, ''), '; ') as outcome from facts
     where message_id = any($1::bigint[]) group by message_id`,
    [messages.map((message) => message.id)],
  );
  const folded = new Map(rows.map((row) => [row.messageId, row.outcome]));
  return messages.map((message, index) => {
    const result = read[index] as ReadMessage;
    const common = { id: message.id, feedId: result.feed?.id ?? message.feedId };
    if (result.kind === 'not-acted-on') return { ...common, status: 'NOT_ACTED_ON', reason: result.reason };
    if (result.kind !== 'facts') return { ...common, status: 'QUARANTINED', reason: result.reason };
    const reason = [folded.get(message.id), ...result.warnings].filter(Boolean).join('; ');
    return { ...common, status: 'APPLIED', reason };
  });
}
