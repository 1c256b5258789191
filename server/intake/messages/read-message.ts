/** A stored message as facts, or the reason why it gives none. Pure: the same message and feeds read the same, also in a preview. */
import { z } from 'zod';
import { EVENT_CODES, type EventCode } from '#contract/event-codes.ts';
import { type Feed, facilityOf, feedOf } from '#server/intake/feeds/feed-lookup.ts';
import { readAdt } from '#server/intake/hl7/adt.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { declaredCharset, decodeText } from '#server/intake/hl7/charset.ts';
import { disbelieveFuture, FIELD_NAMES } from '#server/intake/hl7/disbelief.ts';
import { parseMessage } from '#server/intake/hl7/message.ts';
import type { PendingMessage } from './queries.ts';

export interface ReadFact {
  groupId: string;
  adt: AdtFacts;
  manualCode?: EventCode;
}

export type ReadMessage =
  | { kind: 'facts'; feed: Feed | null; facts: ReadFact[]; warnings: string[] }
  /** 'hold': in quarantine, and what the message gave before stays: nobody has read it anew. */
  | { kind: 'not-acted-on' | 'quarantine' | 'hold'; feed: Feed | null; reason: string };

/** What a person or a job entered, as it stands in the store: already facts. */
export const manualEntry = z.object({
  groupId: z.string(),
  manualCode: z.enum(EVENT_CODES).optional(),
  adt: z.custom<AdtFacts>((value) => typeof value === 'object' && value !== null),
});
export type ManualEntry = z.infer<typeof manualEntry>;

export function readMessage(
  message: Pick<PendingMessage, 'source' | 'raw' | 'receivedAt' | 'sendingApplication' | 'sendingFacility'>,
  feeds: readonly Feed[],
): ReadMessage {
  if (message.source === 'MANUAL') {
    const entry = manualEntry.parse(JSON.parse(message.raw.toString('utf8')));
    return { kind: 'facts', feed: null, facts: [entry], warnings: [] };
  }
  const feed = feedOf(feeds, message);
  if (!feed) {
    const reason = `MSH-3 and MSH-4 (${quote(message.sendingApplication)}, ${quote(message.sendingFacility)}) are of no feed that is set up here.`;
    return { kind: 'hold', feed, reason };
  }
  if (feed.isPaused) {
    return { kind: 'hold', feed, reason: 'The feed is paused: the message is processed when it is resumed.' };
  }
  if (!feed.settings) {
    return {
      kind: 'hold',
      feed,
      reason: "The feed's settings cannot be read: mend them and replay the message.",
    };
  }
  const parsed = parseMessage(decodeText(message.raw, declaredCharset(message.raw)).text);
  if (!parsed) return { kind: 'quarantine', feed, reason: 'MSH: the header segment cannot be read.' };
  const reading = readAdt(parsed, feed.settings);
  if (reading.kind !== 'facts') return { ...reading, feed };
  const { timeZone } = feed.settings;
  const facts = reading.facts.map((adt) => disbelieveFuture(adt, message.receivedAt, timeZone));
  const warnings = [...reading.warnings, ...warningsOf(facts)];
  return placeAtFacility({ facts, warnings }, feed, message.sendingFacility);
}

function warningsOf(facts: readonly AdtFacts[]): string[] {
  const fields = new Set(facts.flatMap(({ disbelieved }) => disbelieved?.fields ?? []));
  const names = [...fields].map((field) => FIELD_NAMES[field]).join(', ');
  return names === '' ? [] : [`${names}: a time in the future, which is not believed`];
}

function placeAtFacility(
  reading: { facts: AdtFacts[]; warnings: string[] },
  feed: Feed,
  sendingFacility: string,
): ReadMessage {
  const facts: ReadFact[] = [];
  for (const adt of reading.facts) {
    const groupId = facilityOf(feed, [adt.facilityIdentifier, sendingFacility]);
    if (!groupId) {
      const reason = `The facility ${quote(adt.facilityIdentifier)} (PV1-3.4, EVN-7 or MSH-4) is not in the feed's list of facilities.`;
      return { kind: 'quarantine', feed, reason };
    }
    facts.push({ groupId, adt });
  }
  return { kind: 'facts', feed, facts, warnings: reading.warnings };
}

const quote = (text: string): string => `'${text.slice(0, 80)}'`;
