/** Reads a stored message into facts, or into the reason why it gives none. Pure, so that a preview reads it the same way. */
import { z } from 'zod';
import { EVENT_CODES, type EventCode } from '#contract/event-codes.ts';
import { type DocumentReading, readPosted } from '#server/intake/documents/read-cda.ts';
import { mayHoldDocument, readDocumentMessage } from '#server/intake/documents/read-hl7.ts';
import { documentsOfUpload, uploadInMessage } from '#server/intake/documents/read-upload.ts';
import type { ReceivedDocument } from '#server/intake/documents/received-document.ts';
import { type Feed, type FeedOfSender, facilityGroup, isListed } from '#server/intake/feeds/feed-lookup.ts';
import { readFhir } from '#server/intake/fhir/read-fhir.ts';
import { FHIR_FIELD_NAMES } from '#server/intake/fhir/times.ts';
import { type AdtReading, readAdt } from '#server/intake/hl7/adt.ts';
import type { AdtFacts, PatientFacts, TimeField } from '#server/intake/hl7/adt-facts.ts';
import { decodeText } from '#server/intake/hl7/charset.ts';
import { ASK_SENDER } from '#server/intake/hl7/field-values.ts';
import { disbelieveFuture } from '#server/intake/hl7/future-times.ts';
import { headerOf } from '#server/intake/hl7/header.ts';
import { MOST_LINES, parseMessage } from '#server/intake/hl7/message.ts';
import { inRepeatedHour } from '#server/intake/hl7/repeated-hour.ts';
import type { SeenOrder } from '#server/intake/hl7/time.ts';
import { FIELD_NAMES, isDatedByReceipt, timeFieldsOf } from '#server/intake/hl7/time-fields.ts';
import type { PendingMessage } from './queries.ts';

interface ReadFact {
  groupId: string;
  adt: AdtFacts;
  manualCode?: EventCode;
}

export type ReadMessage = { seenOrders?: SeenOrder[] } & (
  | {
      kind: 'facts';
      feed: Feed | null;
      facts: ReadFact[];
      warnings: string[];
      documents?: ReceivedDocument[];
      /** The patient whom the documents have to be about, where the facts name only a record number. */
      aboutPatient?: Pick<PatientFacts, 'name' | 'birthDate'>;
    }
  /** 'hold': quarantined without being read, so facts from an earlier processing stay. */
  | { kind: 'not-acted-on' | 'quarantine' | 'hold'; feed: Feed | null; reason: string }
);

/** What a person, also one with a link, or a job entered, as stored. It consists of facts already. */
const manualEntry = z.object({
  groupId: z.string(),
  manualCode: z.enum(EVENT_CODES).optional(),
  adt: z.custom<AdtFacts>((value) => typeof value === 'object' && value !== null),
  upload: uploadInMessage.optional(),
});
export type ManualEntry = z.infer<typeof manualEntry>;

export const UNREADABLE_HEADER =
  "The MSH segment can't be read. Check the first line and the delimiters that the sender uses.";

const TOO_MANY_LINES = `The message has more than ${MOST_LINES.toLocaleString('en-US')} lines. ${ASK_SENDER}`;

const SENDER_UNAPPROVED = 'Waiting for an operator to approve this sender.';

/** Reads a message by the settings of its feed (`feedsOf`). */
export function readMessage(
  message: Pick<PendingMessage, 'source' | 'raw' | 'receivedAt' | 'sendingApplication' | 'sendingFacility'>,
  feed: FeedOfSender,
): ReadMessage {
  if (message.source === 'MANUAL' || message.source === 'LINK') {
    return readEntry(manualEntry.parse(JSON.parse(message.raw.toString('utf8'))));
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
  if (message.source === 'CCDA') return placeDocuments(readPosted(message.raw, feed.settings), feed, message);
  if (message.source === 'FHIR') {
    const reading = readFhir(message.raw, { settings: feed.settings, isListed: (name) => isListed(feed, name) });
    return placeFacts(reading, feed, message, FHIR);
  }
  const parsed = parseMessage(decodeText(message.raw));
  if (!parsed) return { kind: 'quarantine', feed, reason: UNREADABLE_HEADER };
  if (parsed.isCut) return { kind: 'quarantine', feed, reason: TOO_MANY_LINES };
  const { messageCode, trigger } = headerOf(parsed);
  if (mayHoldDocument(messageCode, trigger)) {
    return placeDocuments(readDocumentMessage(parsed, feed.settings), feed, message);
  }
  return placeFacts(readAdt(parsed, feed.settings), feed, message, HL7);
}

/** The names of what a format's messages are read from, as reasons have them. */
interface Format {
  fields: Readonly<Record<TimeField, string>>;
  facility: string;
}
const HL7: Format = { fields: FIELD_NAMES, facility: 'PV1-3.4, EVN-7, MSH-4 or PV1-39' };
const FHIR: Format = { fields: FHIR_FIELD_NAMES, facility: 'Encounter.serviceProvider or its location' };

function placeFacts(
  reading: AdtReading,
  feed: Feed,
  message: Pick<PendingMessage, 'receivedAt' | 'sendingFacility'>,
  format: Format,
): ReadMessage {
  if (reading.kind !== 'facts') return { ...reading, feed };
  const timeZone = feed.settings?.timeZone ?? 'UTC';
  const facts = reading.facts.map((adt) =>
    disbelieveFuture(inRepeatedHour(adt, timeZone), message.receivedAt, timeZone),
  );
  const warnings = [...reading.warnings, ...warningsOf(facts, format)];
  const { seenOrders } = reading;
  const placed = placeAtFacility({ facts, warnings }, feed, message.sendingFacility, format);
  return { ...placed, ...(seenOrders && { seenOrders }) };
}

function readEntry({ upload, ...entry }: ManualEntry): ReadMessage {
  const facts = { kind: 'facts' as const, feed: null, facts: [entry], warnings: [] };
  if (upload === undefined) return facts;
  const documents = documentsOfUpload(upload);
  if ('refusal' in documents) return { kind: 'quarantine', feed: null, reason: documents.refusal };
  return { ...facts, documents, aboutPatient: upload.patient };
}

function placeDocuments(
  reading: DocumentReading,
  feed: Feed,
  { sendingFacility }: Pick<PendingMessage, 'sendingFacility'>,
): ReadMessage {
  if (reading.kind !== 'documents') return { ...reading, feed };
  const { facts, documents, warnings } = reading;
  const placed = placeAtFacility({ facts: [facts], warnings }, feed, sendingFacility, HL7);
  return placed.kind === 'facts' ? { ...placed, documents } : placed;
}

function warningsOf(facts: readonly AdtFacts[], { fields }: Format): string[] {
  const namesOf = (of: Iterable<TimeField>): string => [...of].map((field) => fields[field]).join(', ');
  const inFuture = new Set(facts.flatMap(({ disbelieved }) => disbelieved?.fields ?? []));
  const unread = new Set(facts.filter(isDatedByReceipt).flatMap(({ trigger }) => timeFieldsOf(trigger)));
  return [
    ...(inFuture.size > 0 ? [`time in the future, not used: ${namesOf(inFuture)}`] : []),
    ...(unread.size > 0 ? [`dated by its receipt, because no time can be read in ${namesOf(unread)}`] : []),
  ];
}

function placeAtFacility(
  reading: { facts: AdtFacts[]; warnings: string[] },
  feed: Feed,
  sendingFacility: string,
  { facility }: Format,
): ReadMessage {
  const facts: ReadFact[] = [];
  for (const adt of reading.facts) {
    const groupId = facilityGroup(feed, [adt.facilityIdentifier, sendingFacility, adt.visit?.servicingFacility ?? '']);
    if (!groupId) {
      const name = quote(adt.facilityIdentifier);
      const reason = `Facility ${name} (${facility}) isn't on the feed's facility list. Add it, then replay the message.`;
      return { kind: 'quarantine', feed, reason };
    }
    facts.push({ groupId, adt });
  }
  return { kind: 'facts', feed, facts, warnings: reading.warnings };
}

const quote = (text: string): string => `'${text.slice(0, 80)}'`;
