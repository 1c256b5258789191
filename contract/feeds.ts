/** Feeds: where messages come from, what became of each message, and what a message would do. */
import { z } from 'zod';
import { FEED_FACILITIES_REQUIRED, FEED_TEXTS } from './admin-fields.ts';
import { feedHealthSummary } from './feed-health.ts';
import { feedSettings } from './feed-settings.ts';
import {
  DISMISSAL_CAUSES,
  DISMISSAL_NOTE_LIMIT,
  type DismissalCause,
  TRIAL_CHANGES,
  type TrialChange,
} from './message-words.ts';
import { day, id, instant, realInstant } from './primitives.ts';

/**
 * PENDING: stored and acknowledged, not processed yet. APPLIED: gave facts. NOT_ACTED_ON: understood, but changes nothing.
 * QUARANTINED: waits until someone corrects a setting and replays it. DUPLICATE: byte for byte a message received before.
 */
const MESSAGE_STATUSES = ['PENDING', 'APPLIED', 'NOT_ACTED_ON', 'QUARANTINED', 'DUPLICATE'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

const OUTPATIENT_CODE_FIELDS = ['PV1-10', 'PV1-18'] as const;
export type OutpatientCodeField = (typeof OUTPATIENT_CODE_FIELDS)[number];

/** A hospital service (PV1-10) or patient type (PV1-18) that outpatients of a feed had, with counts of their messages. */
export const outpatientCode = z.object({
  field: z.enum(OUTPATIENT_CODE_FIELDS),
  code: z.string(),
  arrivals: z.number().int(),
  discharges: z.number().int(),
  /** Discharges from a bed, eight hours or more after the arrival. */
  longStays: z.number().int(),
  /** Why the code probably means observation: its name, or most stays with it were long. Null if it isn't suggested. */
  suggestedBy: z.enum(['NAME', 'USE']).nullable(),
});
export type OutpatientCode = z.infer<typeof outpatientCode>;

/** The codes of outpatients since a day, most frequent first. */
export const outpatientCodes = z.object({ since: day, codes: z.array(outpatientCode) });
export type OutpatientCodes = z.infer<typeof outpatientCodes>;

const feedFacility = z.object({ identifier: z.string(), groupId: id, groupName: z.string() });

export const feed = z.object({
  id,
  name: z.string(),
  kind: z.enum(['MLLP', 'FHIR', 'CCDA']),
  organizationName: z.string(),
  sendingApplication: z.string().nullable(),
  sendingFacility: z.string().nullable(),
  timeZone: z.string(),
  /** How many messages had a date with the year last that can only be month/day or day/month, or either. */
  seenDates: z.object({ MDY: z.number().int(), DMY: z.number().int(), EITHER: z.number().int() }),
  /** Whether such dates that can be either are not read, because the feed doesn't say how they are meant. */
  hasUnreadDates: z.boolean(),
  /** While a feed is paused, its messages are kept and not processed; null if it isn't paused. */
  pausedAt: instant.nullable(),
  lastMessageAt: instant.nullable(),
  /** Since midnight in the feed's time zone, including resends. */
  receivedToday: z.number().int(),
  quarantined: z.number().int(),
  facilities: z.array(feedFacility),
  health: feedHealthSummary,
  /** Codes of outpatients that probably mean observation, and that the feed's settings don't name. */
  suggestedCodes: z.array(outpatientCode),
  /** Null until an operator approves the sender of a new feed: no message belongs to it. */
  approvedAt: instant.nullable(),
  /** The sender and facilities that wait for an operator's approval; null if none do. Those of the feed stay in force. */
  waiting: z
    .object({
      sendingApplication: z.string().nullable(),
      sendingFacility: z.string().nullable(),
      facilities: z.array(feedFacility),
      /** How many messages an approval would assign to the feed; null for everyone but operators. */
      messages: z.number().int().nullable(),
      version: z.string(),
    })
    .nullable(),
});
export type Feed = z.infer<typeof feed>;

const sender = z.string().trim().max(200).nullable();
const facility = z.object({
  identifier: z.string().trim().min(1).max(200),
  groupId: id,
  registrationIsVisit: z.boolean(),
});
const facilities = z.array(facility);

/** What an administrator sets for a feed. */
export const feedFields = z.object({
  name: z.string().trim().min(1, FEED_TEXTS.name.required).max(FEED_TEXTS.name.max),
  /** MSH-3 of its messages; null accepts any. */
  sendingApplication: sender,
  /** MSH-4 of its messages; null accepts any. */
  sendingFacility: sender,
  /** A key that is left out has its default. */
  settings: feedSettings.partial(),
  /** Managing the feed takes managing all of these facilities. */
  facilities: facilities.min(1, FEED_FACILITIES_REQUIRED),
  isBackfill: z.boolean(),
});
export type FeedFields = z.infer<typeof feedFields>;

/**
 * The fields as stored, with their `version` (`contract/admin.ts`). Stored settings are not checked again: an administrator must be
 * able to open a feed with settings that are no longer valid.
 */
export const feedAsSet = feedFields.extend({
  settings: z.record(z.string(), z.unknown()),
  facilities,
  /** Whether the sender and facilities wait for an operator's approval. */
  isWaiting: z.boolean(),
  version: z.string(),
});
export type FeedAsSet = z.infer<typeof feedAsSet>;

/** Where documents come from: systems that post them with a token (`POST /api/documents`), for one facility. */
export const newDocumentFeed = z.object({
  name: feedFields.shape.name,
  groupId: id,
  timeZone: feedSettings.shape.timeZone,
});

/** What is left out has its default. A FHIR feed is known by its tokens, so what it names as its sender is ignored. */
export const newFeed = feedFields.extend({
  kind: z.enum(['MLLP', 'FHIR']).default('MLLP'),
  sendingApplication: sender.default(null),
  sendingFacility: sender.default(null),
  settings: feedFields.shape.settings.default({}),
  facilities: z
    .array(facility.extend({ registrationIsVisit: facility.shape.registrationIsVisit.default(false) }))
    .min(1, FEED_FACILITIES_REQUIRED),
  isBackfill: z.boolean().default(false),
});

/** A sender that matches no feed. Its messages wait in quarantine until a feed is set up for it. */
export const unknownSender = z.object({
  sendingApplication: z.string(),
  sendingFacility: z.string(),
  messages: z.number().int(),
  lastMessageAt: instant,
});
export type UnknownSender = z.infer<typeof unknownSender>;

/** An address without a feed that sent too much on one day (UTC), so that its messages were refused. */
export const refusedSender = z.object({
  address: z.string(),
  refused: z.number().int(),
  lastRefusedAt: instant,
});
export type RefusedSender = z.infer<typeof refusedSender>;

const dismissalCause = z.enum(Object.keys(DISMISSAL_CAUSES) as [DismissalCause, ...DismissalCause[]]);

/** Why a quarantined message is dismissed. */
export const newDismissal = z
  .object({
    cause: dismissalCause,
    /** Shown to everyone who sees the message. Required with OTHER. */
    note: z.string().trim().max(DISMISSAL_NOTE_LIMIT).default(''),
  })
  .refine(({ cause, note }) => cause !== 'OTHER' || note !== '', { path: ['note'], message: 'Say why.' });

export const message = z.object({
  id,
  feedId: id.nullable(),
  /** "Tidings" for what was entered here or by a link, or concluded by a job. */
  feedName: z.string().nullable(),
  receivedAt: instant,
  controlId: z.string().nullable(),
  messageType: z.string().nullable(),
  sendingApplication: z.string().nullable(),
  sendingFacility: z.string().nullable(),
  status: z.enum(MESSAGE_STATUSES),
  /** What became of the message, written for an integration engineer; holds no patient data. */
  reason: z.string(),
  bytes: z.number().int(),
  processedAt: instant.nullable(),
  /** Who reported it by a link; null or absent for every other message. */
  reportedByLink: z.string().nullish(),
  /** The patient of the message, for those who may see the patients of its facility; null for everyone else. */
  patient: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Set while a message that was in quarantine is dismissed: it is NOT_ACTED_ON. */
  dismissal: z
    .object({ cause: dismissalCause, note: z.string(), dismissedAt: instant, dismissedBy: z.string() })
    .nullable(),
});
export type Message = z.infer<typeof message>;

export const messageFilters = z.object({
  feedId: id.optional(),
  status: z.enum(MESSAGE_STATUSES).optional(),
  controlId: z.string().max(200).optional(),
  receivedFrom: realInstant.optional(),
  receivedTo: realInstant.optional(),
  pageNumber: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(500).default(50),
});

export const messagePreview = z.object({
  outcome: z.enum(['facts', 'not-acted-on', 'quarantine']),
  reason: z.string(),
  facilityName: z.string().nullable(),
  /** Whether the patient is linked to a known person. For operators only, like `recipients`; null for everyone else. */
  matching: z.enum(['matched', 'review', 'new']).nullable(),
  events: z.array(
    z.object({ change: z.enum(['added', 'amended', 'cancelled']), status: z.string(), eventDate: z.string() }),
  ),
  /** How many groups would get a ping. */
  recipients: z.number().int().nullable(),
});

/** Settings that are tried before they are saved. A key that is left out has its default. */
export const triedSettings = feedFields.pick({ settings: true, facilities: true });

const trialExample = z.object({ messageId: id, controlId: z.string().nullable(), receivedAt: instant });

/** What would read differently with other settings. Values are codes and settings, never what identifies a patient. */
export const settingsTrial = z.object({
  /** The first day that was looked at. */
  since: instant,
  /** How many messages were read, newest first, and how many there are. */
  tried: z.number().int(),
  total: z.number().int(),
  /** How many of them would read differently. */
  changed: z.number().int(),
  /** Most frequent first. `before` and `after` are null where values are not shown, or where there is none. */
  changes: z.array(
    z.object({
      what: z.enum(Object.keys(TRIAL_CHANGES) as [TrialChange, ...TrialChange[]]),
      before: z.string().nullable(),
      after: z.string().nullable(),
      messages: z.number().int(),
      examples: z.array(trialExample),
    }),
  ),
});
export type SettingsTrial = z.infer<typeof settingsTrial>;
