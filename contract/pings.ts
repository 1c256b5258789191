/** A ping: one event, as sent to the groups of a team that list the person, with its management status. */
import { z } from 'zod';
import { EVENT_CODES, EVENT_STATES, SETTINGS } from './event-codes.ts';
import { FACILITY_TYPES, GROUP_TYPES } from './groups.ts';
import { MANAGEMENT_STATUSES, OTHER_TEXT_LIMIT, RESOLUTIONS } from './management-status.ts';
import { day, id, instant, instantOrDay } from './primitives.ts';
import { stayWork } from './worklist.ts';

export const managementStatusRecord = z.object({
  id,
  status: z.enum(MANAGEMENT_STATUSES),
  resolutions: z.array(z.enum(RESOLUTIONS)),
  username: z.string(),
  /** The user's name at that time; null for the system, and in records from before it was kept. */
  displayName: z.string().nullable(),
  otherText: z.string().nullable(),
  date: instant,
});
export type ManagementStatusRecord = z.infer<typeof managementStatusRecord>;

export const facility = z.object({
  id,
  name: z.string(),
  type: z.enum(GROUP_TYPES),
  facilityType: z.enum(FACILITY_TYPES).nullable(),
  address: z.string().nullable(),
  /** IANA name, e.g. America/Chicago. */
  timeZone: z.string(),
  isPart2Facility: z.boolean(),
});
export type Facility = z.infer<typeof facility>;

/**
 * The strongest reason why a ping matters. DECEASED is the reason of each ping of a patient who has died, AFTER_DEATH of
 * an event that contradicts the death, and of each ping if the sender later reported the patient as living. `severity` only selects the color: `critical` for deaths and retractions, `caution` for anything
 * due or unusual, `neutral` for the rest.
 */
export const reason = z.object({
  code: z.enum([
    'READMISSION',
    'RECENT_DISCHARGE',
    'FREQUENT_ED',
    'FOLLOW_UP_DUE',
    'FOLLOW_UP_OVERDUE',
    'DESTINATION_UNCLEAR',
    'DISCHARGE_UNCLEAR',
    'DECEASED',
    'AFTER_DEATH',
    'RETRACTED',
    'UNMATCHED',
    'RESIDENT_IN_HOSPITAL',
  ]),
  label: z.string(),
  severity: z.enum(['critical', 'caution', 'neutral']),
  /** Of FOLLOW_UP_DUE and FOLLOW_UP_OVERDUE: the last day on which it is or was in time. */
  dueOn: day.optional(),
});

export const ping = z.object({
  id,
  /** The event's id, which the management-status routes take; the same for all groups that have a ping of the event. */
  eventIdentifier: id,
  eventDate: instantOrDay,
  createdDate: instant,
  /** Whether `eventDate` is when the message arrived, because the sender gave no time that can be read or believed. */
  datedByReceipt: z.boolean(),
  /** Of a death: whether `eventDate` is when it was reported, because no message says when the patient died. */
  datedByReport: z.boolean().optional(),
  /** Minutes from the event until its message was received; 0 if the source gave no time of day. */
  entryDelay: z.number().int().min(0),
  /** Sent more than 72 hours after the event. */
  late: z.boolean(),
  status: z.enum(EVENT_CODES),
  state: z.enum(EVENT_STATES),
  /** What the event was reported as before its latest change of time, setting or destination. */
  was: z.object({ eventDate: instantOrDay, setting: z.enum(SETTINGS), dischargedTo: z.string().nullable() }).optional(),
  /** No message reported the admission; it was inferred from a later one. */
  inferred: z.boolean(),
  setting: z.enum(SETTINGS),
  priorSetting: z.enum(SETTINGS).nullable(),
  facility,
  /** Set if someone reported it, or where the patient went, by a link: the name that they typed, the organization that asked, and when. */
  reportedByLink: z.object({ name: z.string(), organization: z.string().optional(), date: instant }).optional(),
  /** Where the patient went, in words; null if the source does not say. */
  dischargedTo: z.string().nullable(),
  admittedFrom: z.string().nullable(),
  /** `id` is '0' and `status` NEW until someone changes it. */
  currentManagementStatus: z.object({
    id: z.string(),
    status: z.enum(MANAGEMENT_STATUSES),
    resolutions: z.array(z.enum(RESOLUTIONS)),
    username: z.string().nullable(),
    displayName: z.string().nullable(),
    otherText: z.string().nullable(),
    date: instant.nullable(),
  }),
  payor: z.string().nullable(),
  careCoordinators: z.array(z.object({ fullName: z.string(), telephone: z.string().nullable() })),
  manual: z.boolean(),
  editable: z.boolean(),
  treatingProvider: z.string().nullable(),
  reason: reason.nullable(),
});
export type Ping = z.infer<typeof ping>;

/**
 * What a row of the inbox says about all pings of a stay together (docs/decisions/0062). A ping counts once per event, with the status that any
 * group of the team set last.
 */
export const stayCard = z.object({
  /** NEW if a ping of the stay is, else IN_PROGRESS if one is, else the status of the ping that was closed last. */
  status: z.enum(MANAGEMENT_STATUSES),
  /** The newest event that is more than an update, if there is one, with the strongest reason of the whole stay. */
  headline: z.object({ eventIdentifier: id, reason: reason.nullable() }),
  /** Further reasons of the stay, the strongest first. */
  otherReasons: z.array(reason),
  /** The open pings, newest first: what a status change of the stay is about, and the records it expects. */
  open: z.array(z.object({ eventIdentifier: id, statusId: z.string() })),
  /** The events whose pings are open and arrived since this user last looked at the stay. */
  unread: z.array(id),
  /**
   * Set if everything was closed and the stay is open again: since when, who had closed it (null if the system had), and why if a correction reopened it rather than a new event.
   */
  reopened: z.object({ date: instant, closedBy: z.string().nullable(), why: z.string().nullable() }).nullable(),
  /**
   * `change`: whether this user may change the status of the stay's pings, take it, and let it wait. `resolutions`: the reasons that the user may
   * give for resolving the stay, and that fit the team and the patient.
   */
  abilities: z.object({ change: z.boolean(), resolutions: z.array(z.enum(RESOLUTIONS)) }),
  /** Who has taken the stay, and whether it waits. */
  work: stayWork,
});
export type StayCard = z.infer<typeof stayCard>;

const statusId = z.string().regex(/^\d{1,19}$/);

const newStatus = {
  status: z.enum(MANAGEMENT_STATUSES),
  resolutions: z.array(z.enum(RESOLUTIONS)).max(RESOLUTIONS.length).default([]),
  otherText: z.string().max(OTHER_TEXT_LIMIT).nullish(),
};

export const statusChange = z
  .object({
    eventIdentifier: id,
    ...newStatus,
    /** The record that the user saw (`currentManagementStatus.id`). If it is no longer the current one, nothing changes and the error says who changed it. */
    expectedStatusId: statusId.optional(),
  })
  .strict();
export type StatusChange = z.input<typeof statusChange>;

/** The most pings of one stay that a call changes. */
const MOST_PINGS = 500;

/** The same change for several pings of a patient: all of them change, or none. */
export const statusChanges = z
  .object({
    eventIdentifiers: z.array(id).min(1).max(MOST_PINGS),
    ...newStatus,
    /** As `expectedStatusId`, in the order of the events. */
    expectedStatusIds: z.array(statusId).max(MOST_PINGS).optional(),
  })
  .strict()
  .refine(
    ({ eventIdentifiers, expectedStatusIds: expected }) => !expected || expected.length === eventIdentifiers.length,
    { path: ['expectedStatusIds'], error: 'Send one record per event.' },
  );
