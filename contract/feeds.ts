/** Feeds: where messages come from, what became of each, and what a message would do. */
import { z } from 'zod';
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
  lastMessageAt: instant.nullable(),
  receivedToday: z.number().int(),
  quarantined: z.number().int(),
  facilities: z.array(z.object({ identifier: z.string(), groupId: id, groupName: z.string() })),
});
export type Feed = z.infer<typeof feed>;

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
