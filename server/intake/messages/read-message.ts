/** Reads a stored message into facts, or into the reason why it gives none. Pure, so that a preview reads it the same way. */
import { z } from 'zod';
import { EVENT_CODES, type EventCode } from '#contract/event-codes.ts';
import { type Feed, type FeedOfSender, facilityGroup } from '#server/intake/feeds/feed-lookup.ts';
import { readAdt } from '#server/intake/hl7/adt.ts';
import type { AdtFacts, TimeField } from '#server/intake/hl7/adt-facts.ts';
import { declaredCharset, decodeText } from '#server/intake/hl7/charset.ts';
import { disbelieveFuture } from '#server/intake/hl7/future-times.ts';
import { parseMessage } from '#server/intake/hl7/message.ts';
import type { SeenOrder } from '#server/intake/hl7/time.ts';
import { FIELD_NAMES, isDatedByReceipt, timeFieldsOf } from '#server/intake/hl7/time-fields.ts';
import type { PendingMessage } from './queries.ts';

interface ReadFact {
  groupId: string;
  adt: AdtFacts;
  manualCode?: EventCode;
}

export type ReadMessage = { seenOrders?: SeenOrder[] } & (
  | { kind: 'facts'; feed: Feed | null; facts: ReadFact[]; warnings: string[] }
  /** 'hold': quarantined without being read, so facts from an earlier processing stay. */
  | { kind: 'not-acted-on' | 'quarantine' | 'hold'; feed: Feed | null; reason: string }
);

/** What a person or a job entered, as stored. It consists of facts already. */
export const manualEntry = z.object({
  groupId: z.string(),
  manualCode: z.enum(EVENT_CODES).optional(),
  adt: z.custom<AdtFacts>((value) => typeof value === 'object' && value !== null),
});
export type ManualEntry = z.infer<typeof manualEntry>;

export const UNREADABLE_HEADER =
  "The MSH segment can't be read. Check the first line and the delimiters that the sender uses.";

const SENDER_UNAPPROVED = 'Waiting for an operator to approve this sender.';

/** Reads a message by the settings of its feed (`feedsOf`). */
export function readMessage(
  message: Pick<PendingMessage, 'source' | 'raw' | 'receivedAt' | 'sendingApplication' | 'sendingFacility'>,
  feed: FeedOfSender,
): ReadMessage {
  if (message.source === 'MANUAL') {
    const entry = manualEntry.parse(JSON.parse(message.raw.toString('utf8')));
    return { kind: 'facts', feed: null, facts: [entry], warnings: [] };
  }
  if (feed === 'unapproved') return { kind: 'hold', feed: null, reason: SENDER_UNAPPROVED };
  if (!feed) {
    const sender = `${quote(message.sendingApplication)}, ${quote(message.sendingFacility)}`;
    const reason = `MSH-3/MSH-4 (${sender}) don't match any feed. Set up a feed for this sender, then replay the message.`;
    return { kind: 'hold', feed, reason };
  }
  if (feed.isPaused) {
    return {
      kind: 'hold',
      feed,
      reason: 'The feed is paused. The message will be processed when the feed is resumed.',
    };
  }
  if (!feed.settings) {
    const reason = "The feed's settings are invalid. Correct and save them, then replay the message.";
    return { kind: 'hold', feed, reason };
  }
  const parsed = parseMessage(decodeText(message.raw, declaredCharset(message.raw)).text);
  if (!parsed) return { kind: 'quarantine', feed, reason: UNREADABLE_HEADER };
  const reading = readAdt(parsed, feed.settings);
  if (reading.kind !== 'facts') return { ...reading, feed };
  const { timeZone } = feed.settings;
  const facts = reading.facts.map((adt) => disbelieveFuture(adt, message.receivedAt, timeZone));
  const warnings = [...reading.warnings, ...warningsOf(facts)];
  const { seenOrders } = reading;
  return { ...placeAtFacility({ facts, warnings }, feed, message.sendingFacility), ...(seenOrders && { seenOrders }) };
}

function warningsOf(facts: readonly AdtFacts[]): string[] {
  const inFuture = new Set(facts.flatMap(({ disbelieved }) => disbelieved?.fields ?? []));
  const unread = new Set(facts.filter(isDatedByReceipt).flatMap(({ trigger }) => timeFieldsOf(trigger)));
  return [
    ...(inFuture.size > 0 ? [`time in the future, not used: ${namesOf(inFuture)}`] : []),
    ...(unread.size > 0 ? [`dated by its receipt, because no time can be read in ${namesOf(unread)}`] : []),
  ];
}

const namesOf = (fields: Iterable<TimeField>): string => [...fields].map((field) => FIELD_NAMES[field]).join(', ');

function placeAtFacility(
  reading: { facts: AdtFacts[]; warnings: string[] },
  feed: Feed,
  sendingFacility: string,
): ReadMessage {
  const facts: ReadFact[] = [];
  for (const adt of reading.facts) {
    const groupId = facilityGroup(feed, [adt.facilityIdentifier, sendingFacility]);
    if (!groupId) {
      const name = quote(adt.facilityIdentifier);
      const reason = `Facility ${name} (PV1-3.4, EVN-7 or MSH-4) isn't on the feed's facility list. Add it, then replay the message.`;
      return { kind: 'quarantine', feed, reason };
    }
    facts.push({ groupId, adt });
  }
  return { kind: 'facts', feed, facts, warnings: reading.warnings };
}

const quote = (text: string): string => `'${text.slice(0, 80)}'`;
