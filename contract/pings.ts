/** A ping: one event as told to the groups of a team that list the person, with its management status. */
import { z } from 'zod';
import { EVENT_CODES, EVENT_STATES, SETTINGS } from './event-codes.ts';
import { FACILITY_TYPES, GROUP_TYPES } from './groups.ts';
import { MANAGEMENT_STATUSES, OTHER_TEXT_LIMIT, RESOLUTIONS } from './management-status.ts';
import { id, instant, instantOrDay } from './primitives.ts';

export const managementStatusRecord = z.object({
  id,
  status: z.enum(MANAGEMENT_STATUSES),
  resolutions: z.array(z.enum(RESOLUTIONS)),
  username: z.string(),
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

/**
 * Why a ping matters, the strongest reason only. `severity` chooses the colour, never the meaning:
 * `critical` is kept for deaths and retractions, `caution` for what is due or unusual, `neutral` for the rest.
 */
export const reason = z.object({
  code: z.enum([
    'READMISSION',
    'FREQUENT_ED',
    'FOLLOW_UP_DUE',
    'FOLLOW_UP_OVERDUE',
    'DECEASED',
    'RETRACTED',
    'RESIDENT_IN_HOSPITAL',
  ]),
  label: z.string(),
  severity: z.enum(['critical', 'caution', 'neutral']),
});

export const ping = z.object({
  id,
  /** What the management-status calls take: the event, the same for all groups that were told of it. */
  eventIdentifier: id,
  eventDate: instantOrDay,
  createdDate: instant,
  /** Minutes between the event and our receiving it; 0 where the source gave no time of day. */
  entryDelay: z.number().int().min(0),
  /** Told later than 72 hours after it happened. */
  late: z.boolean(),
  status: z.enum(EVENT_CODES),
  state: z.enum(EVENT_STATES),
  /** No message said that the patient was admitted; we conclude it from a later one. */
  inferred: z.boolean(),
  setting: z.enum(SETTINGS),
  priorSetting: z.enum(SETTINGS).nullable(),
  facility,
  /** Where a discharge went, in words; null where the source is silent. */
  dischargedTo: z.string().nullable(),
  admittedFrom: z.string().nullable(),
  /** `id` is '0' and the record is NEW while nobody has changed it. */
  currentManagementStatus: z.object({
    id: z.string(),
    status: z.enum(MANAGEMENT_STATUSES),
    resolutions: z.array(z.enum(RESOLUTIONS)),
    username: z.string().nullable(),
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

export const statusChange = z
  .object({
    eventIdentifier: id,
    status: z.enum(MANAGEMENT_STATUSES),
    resolutions: z.array(z.enum(RESOLUTIONS)).max(RESOLUTIONS.length).default([]),
    otherText: z.string().max(OTHER_TEXT_LIMIT).nullish(),
    /** The record that the user saw (`currentManagementStatus.id`). Where another stands by now, nothing changes and the answer says whose. */
    expectedStatusId: z
      .string()
      .regex(/^\d{1,19}$/)
      .optional(),
  })
  .strict();
export type StatusChange = z.input<typeof statusChange>;
