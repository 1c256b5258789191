/** Why a patient has no ping on a day, for administrators (docs/decisions/0068). */
import { z } from 'zod';
import { EVENT_CODES } from './event-codes.ts';
import { day, id, instant, instantOrDay, patientId } from './primitives.ts';

/**
 * About an event: PING_SENT to PING_RETRACTED, PING_MOVED say what became of its ping, OWN_FACILITY to NO_CONSENT why there is none. About a message of a
 * facility that the reader administers: NO_NEW_EVENT to FEED_PAUSED. About the person: LEFT_LIST, NOT_LISTED_YET, PLACEHOLDER_NAME, IN_REVIEW, OTHER_RECORD. NOTHING: nothing else is known.
 */
export const MISSING_PING_CODES = [
  'PING_SENT',
  'PING_LATE',
  'PING_RESOLVED',
  'PING_SYSTEM_RESOLVED',
  'PING_RETRACTED',
  'PING_MOVED',
  'OWN_FACILITY',
  'CANCELED_FIRST',
  'BACKFILL',
  'INFERRED',
  'EVENT_BEFORE_LISTING',
  'EVENT_AFTER_LEAVING',
  'NO_CONSENT',
  'NOT_SENT',
  'LEFT_LIST',
  'NOT_LISTED_YET',
  'PLACEHOLDER_NAME',
  'IN_REVIEW',
  'OTHER_RECORD',
  'NO_NEW_EVENT',
  'QUARANTINED',
  'NOT_ACTED_ON',
  'DUPLICATE',
  'PENDING',
  'FEED_PAUSED',
  'NO_MESSAGE',
  'NO_MESSAGE_OF_PATIENT',
  'NO_ENTRY',
  'NOTHING',
] as const;
export type MissingPingCode = (typeof MISSING_PING_CODES)[number];

const finding = z.object({
  code: z.enum(MISSING_PING_CODES),
  /** The list concerned. */
  groupName: z.string().nullable(),
  facilityName: z.string().nullable(),
  event: z.object({ code: z.enum(EVENT_CODES), date: instantOrDay, timeZone: z.string() }).nullable(),
  /** When it was sent, received, resolved, left, joined or opened, as the code says. */
  date: instant.nullable(),
  /** In the words of the status history or of the feeds' page. */
  detail: z.string().nullable(),
  /** How many messages, where they are counted together. */
  count: z.number().int().nullable(),
  /** The patient whose page shows more: the ping's stay, or the other record. */
  patientId: patientId.nullable(),
  /** The message to look at on the feeds' page. */
  messageId: id.nullable(),
});
export type MissingPingFinding = z.infer<typeof finding>;

export const missingPings = z.object({
  patientId,
  day,
  /** The day begins and ends in this zone. */
  timeZone: z.string(),
  /** The most telling first. Never empty. */
  findings: z.array(finding),
  /** Facilities that the reader administers, to choose one from. */
  facilities: z.array(z.object({ id, name: z.string() })),
});
export type MissingPings = z.infer<typeof missingPings>;
