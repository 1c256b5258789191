/** Why a team got a ping: from the message to the people who opened it (docs/decisions/0068). */
import { z } from 'zod';
import { OPENING_KINDS } from './accesses.ts';
import { GROUP_TYPES } from './groups.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATES } from './notification-words.ts';
import { ping } from './pings.ts';
import { id, instant, instantOrDay, patientId } from './primitives.ts';
import { RELATIONSHIPS } from './relationships.ts';
import { AGREEMENTS, REVIEW_FIELDS } from './reviews.ts';

/** A message behind an event, oldest first. */
export const explainedMessage = z.object({
  /** For who may read its text; else null. */
  id: id.nullable(),
  /** REPORTED: the first that reported the event. CHANGED: a later one about it. CANCELED: one that took it back. */
  role: z.enum(['REPORTED', 'CHANGED', 'CANCELED']),
  /** LINK: an answer to a link that a team made, as the ping's `reportedByLink` says. */
  source: z.enum(['FEED', 'STAFF', 'SYSTEM', 'LINK']),
  /** MSH-9.2, such as A03. Null for a manual entry, and on feeds that a 42 CFR Part 2 facility uses too. */
  trigger: z.string().nullable(),
  controlId: z.string(),
  /** MSH-7. */
  sentDate: instant.nullable(),
  receivedDate: instant,
  /** SHA-256 of the text, in hexadecimal digits. */
  hash: z.string(),
  /** What became of it, in the words of the feeds' page; null where the trigger is. */
  outcome: z.string().nullable(),
  /** The colleague who entered it. */
  enteredBy: z.string().nullable(),
  text: z.enum(['READABLE', 'NOT_PERMITTED', 'NO_LONGER_STORED']),
  /** What it said about the visit, in the order of the page. */
  facts: z.array(z.object({ label: z.string(), text: z.string().nullable(), date: instantOrDay.nullable() })),
});
export type ExplainedMessage = z.infer<typeof explainedMessage>;

/** A group of the team that got the ping. */
export const explainedRecipient = z.object({
  groupName: z.string(),
  groupType: z.enum(GROUP_TYPES),
  listedDate: instant,
  leftDate: instant.nullable(),
  relationship: z.enum(RELATIONSHIPS).nullable(),
  /** How the listing came to open visits of other organizations; null if it never did. `by`: who uploaded, entered or decided. */
  opening: z.object({ how: z.enum(OPENING_KINDS), date: instant, from: instant, by: z.string().nullable() }).nullable(),
  /** When the ping was in the inbox. */
  sentDate: instant,
  /** Why then: with the message, because the patient joined the list during the stay, by a consent, by a match that was made later, or otherwise. */
  sentBecause: z.enum(['MESSAGE', 'JOINED', 'CONSENT', 'MATCH', 'OTHER']),
  /** Since when a consent lets the 42 CFR Part 2 facility tell this group. */
  consentDate: instant.nullable(),
});
export type ExplainedRecipient = z.infer<typeof explainedRecipient>;

export const explainedMatch = z.object({
  how: z.enum(['AUTOMATIC', 'DECIDED', 'MERGED', 'UNDONE', 'FIRST']),
  date: instant,
  /** The colleague who decided. */
  by: z.string().nullable(),
  /** Of the fields that were compared; null unless the reader administers the facility and its record came from a feed. */
  agreement: z.record(z.enum(REVIEW_FIELDS), z.enum(AGREEMENTS)).nullable(),
  /** Whether the matcher made the link, and the reader may take the facility's record out of it: an administrator of the facility, or an operator. */
  canTakeApart: z.boolean(),
});

/** Someone on the team who opened the stay. */
export const stayReader = z.object({ name: z.string(), firstDate: instant, lastDate: instant });

/** An email or text to someone on the team about the ping, from a saved filter's notifications. */
export const explainedNotice = z.object({
  name: z.string(),
  channel: z.enum(DELIVERY_CHANNELS),
  /** Whether it reported the ping, or that the event was corrected since. */
  isCorrection: z.boolean(),
  state: z.enum(DELIVERY_STATES),
  /** When it was sent, or else queued. */
  date: instant,
});
export type ExplainedNotice = z.infer<typeof explainedNotice>;

export const pingExplanation = z.object({
  patientId,
  ping,
  /** The visit is another person's now, so nothing about it is shown. */
  isMoved: z.boolean(),
  receivedDate: instant,
  messages: z.array(explainedMessage),
  stay: z
    .object({
      startDate: instantOrDay.nullable(),
      endDate: instantOrDay.nullable(),
      diagnosis: z.string().nullable(),
      dischargeContradicted: z.boolean().optional(),
    })
    .nullable(),
  match: explainedMatch.nullable(),
  recipients: z.array(explainedRecipient),
  notices: z.array(explainedNotice),
  readers: z.array(stayReader),
});
export type PingExplanation = z.infer<typeof pingExplanation>;
