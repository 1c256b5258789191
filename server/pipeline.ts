/**
 * What happens to a message: text → facts → visits and events → person → pings. Each batch is one transaction, so a message is
 * processed completely or not at all. Read this after app.ts.
 */

import { type Feed, feedsOf } from './intake/feeds/feed-lookup.ts';
import { countReceived } from './intake/feeds/queries.ts';
import type { Process } from './intake/messages/message-queue.ts';
import type { MessageOutcome, PendingMessage } from './intake/messages/queries.ts';
import { type ReadMessage, readMessage } from './intake/messages/read-message.ts';
import type { Clock } from './platform/calendar/clock.ts';
import type { Transaction } from './platform/database/pool.ts';
import { type NewFact, storeFacts } from './record/encounters/dossiers.ts';
import { type RefoldedPatient, refold } from './record/encounters/refold.ts';
import { listAtFacility } from './record/listings/facility-listing.ts';
import { recordOpenings } from './record/listings/openings.ts';
import { identifyAll } from './record/matching/identify.ts';
import { mergeSourcePatients, releaseMerged } from './record/matching/merges.ts';
import type { Relinked } from './record/matching/write-links.ts';
import { publishPings, resendMoved, sendOpenVisits, sendPings, syncPings } from './record/pings/notify.ts';

export function makePipeline(clock: Clock): Process {
  return async (tx, messages) => {
    const now = clock();
    const feeds = await feedsOf(tx, messages);
    const read = messages.map((message, index) => readMessage(message, feeds[index] ?? null));
    const facts = messages.flatMap((message, index) => factsOf(message, read[index] as ReadMessage));
    const messageIds = messages.filter((_, index) => read[index]?.kind !== 'hold').map(({ id }) => id);
    await applyFacts(tx, facts, messageIds, now);
    const outcomes = await outcomesOf(tx, messages, read);
    // A message that is processed again was counted the first time.
    await countReceived(
      tx,
      outcomes.filter((_, index) => messages[index]?.feedId === null),
    );
    return outcomes;
  };
}

function factsOf(message: PendingMessage, read: ReadMessage): NewFact[] {
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

const isShared = ({ facilities }: Feed): boolean => new Set(Object.values(facilities)).size > 1;

/** Facts → visits → persons → listings → pings. The facts replace all earlier facts of the messages `messageIds`. */
export async function applyFacts(
  tx: Transaction,
  facts: NewFact[],
  messageIds: readonly string[],
  now: Date,
): Promise<void> {
  const dossierIds = await storeFacts(tx, facts, messageIds, now);
  if (dossierIds.length === 0) return;
  const { newEvents, encounters, moved: movedEncounters, patients } = await refold(tx, dossierIds, now);
  const moved = await identifyPatients(tx, patients, now);
  // A facility's listings come before the pings, so that a nursing home hears about its resident from the first visit on.
  const listed = await listAtFacility(tx, patients, now);
  await recordOpenings(tx, { listingIds: [...listed, ...moved.flatMap(({ listingIds }) => listingIds)] }, { now });
  const sent = await sendPings(tx, newEvents);
  const updated = await syncPings(tx, encounters);
  await publishPings(tx, [...sent, ...updated], now);
  await resendMoved(tx, [...moved, { encounterIds: movedEncounters, listingIds: [] }], now);
  if (listed.length > 0) await sendOpenVisits(tx, listed, now);
}

async function identifyPatients(tx: Transaction, patients: RefoldedPatient[], now: Date): Promise<Relinked[]> {
  const surviving = patients.filter(({ mergedInto }) => mergedInto === null);
  const changed = surviving.filter(({ mustBeIdentified }) => mustBeIdentified).map(({ id }) => id);
  const dossierAt = ({ dossierId, groupId }: RefoldedPatient) => `${dossierId}/${groupId}`;
  const patientsIn = Map.groupBy(patients, dossierAt);
  const connected = surviving.filter((patient) => (patientsIn.get(dossierAt(patient))?.length ?? 0) > 1);
  const released = await releaseMerged(
    tx,
    connected.map(({ id }) => id),
    { now },
  );
  const toIdentify = new Set([...changed, ...released.map(({ id }) => id)]);
  const { relinked } = await identifyAll(
    tx,
    [...toIdentify].map((id) => ({ kind: 'SOURCE_PATIENT', id })),
    { now },
  );
  const moved = [...relinked];
  for (const { id, mergedInto } of patients) {
    if (mergedInto) moved.push(...(await mergeSourcePatients(tx, id, mergedInto, { now })));
  }
  return moved;
}

/** Returns what became of each message. For messages with facts, the reason is what the fold says about them. */
async function outcomesOf(tx: Transaction, messages: PendingMessage[], read: ReadMessage[]): Promise<MessageOutcome[]> {
  const { rows } = await tx.query<{ messageId: string; outcome: string }>(
    `select message_id as "messageId", string_agg(distinct nullif(outcome, ''), '; ') as outcome from facts
     where message_id = any($1::bigint[]) group by message_id`,
    [messages.map((message) => message.id)],
  );
  const folded = new Map(rows.map((row) => [row.messageId, row.outcome]));
  return messages.map((message, index) => {
    const result = read[index] as ReadMessage;
    const common = { id: message.id, receivedAt: message.receivedAt, feedId: result.feed?.id ?? message.feedId };
    if (result.kind === 'not-acted-on') return { ...common, status: 'NOT_ACTED_ON', reason: result.reason };
    if (result.kind !== 'facts') return { ...common, status: 'QUARANTINED', reason: result.reason };
    const reason = [folded.get(message.id), ...result.warnings].filter(Boolean).join('; ');
    return { ...common, status: 'APPLIED', reason };
  });
}
