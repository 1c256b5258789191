/** Feeds: where messages come from, what became of each, and what a message would do. */
import { z } from 'zod';
import { FEED_FACILITIES_REQUIRED, FEED_TEXTS } from './admin-fields.ts';
import { id, instant } from './primitives.ts';

/**
 * APPLIED made facts; NOT_ACTED_ON was understood and changes nothing; QUARANTINED waits for somebody to mend a setting and
 * replay; DUPLICATE is byte for byte one that we have; PENDING is stored and acknowledged, not processed yet.
 */
export const MESSAGE_STATUSES = ['PENDING', 'APPLIED', 'NOT_ACTED_ON', 'QUARANTINED', 'DUPLICATE'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const feed = z.object({
  id,
  name: z.string(),
  kind: z.enum(['MLLP', 'FHIR', 'CCDA']),
  organizationName: z.string(),
  sendingApplication: z.string().nullable(),
  sendingFacility: z.string().nullable(),
  timeZone: z.string(),
  /** Since when its messages are kept and not processed; null where they are. */
  pausedAt: instant.nullable(),
  lastMessageAt: instant.nullable(),
  receivedToday: z.number().int(),
  quarantined: z.number().int(),
  facilities: z.array(z.object({ identifier: z.string(), groupId: id, groupName: z.string() })),
});
export type Feed = z.infer<typeof feed>;

const sender = z.string().trim().max(200).nullable();
const facilities = z.array(
  z.object({ identifier: z.string().trim().min(1).max(200), groupId: id, registrationIsVisit: z.boolean() }),
);

/** What an administrator says of a feed. The server checks the settings and names what is wrong in `fields`. */
export const feedFields = z.object({
  name: z.string().trim().min(1, FEED_TEXTS.name.required).max(FEED_TEXTS.name.max),
  /** MSH-3 of its messages; null: any. */
  sendingApplication: sender,
  /** MSH-4 of its messages; null: any. */
  sendingFacility: sender,
  /** What differs from the defaults, as JSON (contract/feed-settings.ts). */
  settings: z.record(z.string(), z.unknown()),
  /** Who manages all of them manages the feed. */
  facilities: facilities.min(1, FEED_FACILITIES_REQUIRED),
  isBackfill: z.boolean(),
});
export type FeedFields = z.infer<typeof feedFields>;

/** As it stands; `version`: as in `contract/admin.ts`. */
export const feedAsSet = feedFields.extend({ facilities, version: z.string() });

/** What is left out is as the defaults have it. */
export const newFeed = feedFields.extend({
  sendingApplication: sender.default(null),
  sendingFacility: sender.default(null),
  settings: feedFields.shape.settings.default({}),
  isBackfill: z.boolean().default(false),
});

/** Who sends and is of no feed: the messages stand in quarantine until one is set up. */
export const unknownSender = z.object({
  sendingApplication: z.string(),
  sendingFacility: z.string(),
  messages: z.number().int(),
  lastMessageAt: instant,
});
export type UnknownSender = z.infer<typeof unknownSender>;

export const message = z.object({
  id,
  feedId: id.nullable(),
  feedName: z.string().nullable(),
  receivedAt: instant,
  controlId: z.string().nullable(),
  messageType: z.string().nullable(),
  sendingApplication: z.string().nullable(),
  sendingFacility: z.string().nullable(),
  status: z.enum(MESSAGE_STATUSES),
  /** What became of it, in words that an integration engineer understands; no patient data. */
  reason: z.string(),
  bytes: z.number().int(),
  processedAt: instant.nullable(),
});
export type Message = z.infer<typeof message>;

export const messageFilters = z.object({
  feedId: id.optional(),
  status: z.enum(MESSAGE_STATUSES).optional(),
  controlId: z.string().max(200).optional(),
  receivedFrom: instant.optional(),
  receivedTo: instant.optional(),
  pageNumber: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(500).default(50),
});

export const messagePreview = z.object({
  outcome: z.enum(['facts', 'not-acted-on', 'quarantine']),
  reason: z.string(),
  facilityName: z.string().nullable(),
  matching: z.enum(['matched', 'review', 'new']).nullable(),
  events: z.array(
    z.object({ change: z.enum(['added', 'amended', 'cancelled']), status: z.string(), eventDate: z.string() }),
  ),
  recipients: z.number().int(),
});
