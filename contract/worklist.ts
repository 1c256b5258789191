/** How a team shares the work on its pings: who has taken a stay, what waits, and what was done lately (docs/decisions/0064). */
import { z } from 'zod';
import { MANAGEMENT_STATUSES, OTHER_TEXT_LIMIT, RESOLUTIONS } from './management-status.ts';
import { day, id, instant, patientId, plainText, realInstant } from './primitives.ts';
import { MOST_STAYS_OF_CALL, WORK_CHANGE_KINDS } from './worklist-words.ts';

/** A version of what is arranged about a stay: its last change, '0' before the first. */
const workVersion = z.string().regex(/^\d{1,19}$/, 'Must be a whole number.');
/** The most events of one stay that a call names. */
const MOST_EVENTS = 500;

/** A user of the selected team, by name. */
export const colleague = z.object({ id, name: z.string() });
export type Colleague = z.infer<typeof colleague>;

export const colleagueSearch = z.object({ query: plainText(100).default('') }).strict();

/** What a team has arranged about a stay. */
export const stayWork = z.object({
  version: workVersion,
  /** Who has taken the stay, since when, and the name of who gave it to them. */
  owner: z.object({ id, name: z.string(), at: instant, by: z.string() }).nullable(),
  /** Set while the stay waits: until that day, or with null until a new event. A new event ends every wait. */
  waiting: z.object({ until: day.nullable(), by: z.string(), since: instant }).nullable(),
});
export type StayWork = z.infer<typeof stayWork>;

/** A stay, and the version that the caller saw. */
const seenStay = { patientId, expectedVersion: workVersion };
const stays = <T extends z.ZodType>(stay: T) => z.array(stay).min(1).max(MOST_STAYS_OF_CALL);
const eventIds = z.array(id).min(1).max(MOST_EVENTS);

export const assignment = z
  .object({
    stays: stays(z.object(seenStay).strict()),
    /** Null takes the stay from whoever has it. */
    userId: id.nullable(),
  })
  .strict();

export const snooze = z
  .object({
    /** `eventIdentifiers`: the pings of the stay that the caller saw. If there is another one by now, the stay doesn't wait. */
    stays: stays(z.object({ ...seenStay, eventIdentifiers: eventIds }).strict()),
    /** A day, at most 30 days ahead; EVENT: until a new event; null ends the wait. */
    until: z.union([day, z.literal('EVENT')]).nullable(),
  })
  .strict();

export const stayStatusChange = z
  .object({
    stays: stays(
      z
        .object({ patientId, eventIdentifiers: eventIds, expectedStatusIds: z.array(workVersion).max(MOST_EVENTS) })
        .strict()
        .refine((stay) => stay.expectedStatusIds.length === stay.eventIdentifiers.length, {
          path: ['expectedStatusIds'],
          error: 'Send one record per event.',
        }),
    ),
    status: z.enum(MANAGEMENT_STATUSES),
    resolutions: z.array(z.enum(RESOLUTIONS)).max(RESOLUTIONS.length).default([]),
    otherText: z.string().max(OTHER_TEXT_LIMIT).nullish(),
  })
  .strict();

/** Why one stay of a call was not changed. */
export const stayRefusal = z.object({
  errorKey: z.string(),
  message: z.string(),
  /** Who was first, and when; null if no one was. */
  first: z.object({ name: z.string(), date: instant }).nullable(),
});
export type StayRefusal = z.infer<typeof stayRefusal>;

/** What became of each stay, in the order of the call. */
export const workOutcomes = z.array(
  z.object({ patientId, work: stayWork.nullable(), refused: stayRefusal.nullable() }),
);

/** `statusIds`: the new records, in the order of the events. */
export const statusOutcomes = z.array(
  z.object({ patientId, statusIds: z.array(id).nullable(), refused: stayRefusal.nullable() }),
);

const arrangement = z.object({
  owner: z.string().nullable(),
  waiting: z.object({ until: day.nullable() }).nullable(),
});

/** A change of what was arranged about a stay. */
export const workChange = z.object({
  id,
  kind: z.enum(WORK_CHANGE_KINDS),
  before: arrangement,
  after: arrangement,
  by: z.string(),
  date: instant,
});
export type WorkChange = z.infer<typeof workChange>;

export const handOver = z.object({ toUserId: id, expectedCount: z.number().int().min(0).optional() }).strict();

/** How many stays the user has, and how many of them have an open ping. */
export const ownStays = z.object({ count: z.number().int(), open: z.number().int() });
export type OwnStays = z.infer<typeof ownStays>;

/** What was handed over, and when: that takes it back. */
export const handedOver = ownStays.extend({ date: instant });
export type HandedOver = z.infer<typeof handedOver>;
export const undoHandOver = z.object({ date: realInstant }).strict();
/** How many stays the user has again, and how many someone has changed since. */
export const takenBack = z.object({ count: z.number().int(), changed: z.number().int() });
export type TakenBack = z.infer<typeof takenBack>;

/** What takes a change back. */
export const undoOf = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), patientId, statusIds: z.array(id).min(1).max(MOST_EVENTS) }).strict(),
  z.object({ kind: z.literal('work'), patientId, changeId: id }).strict(),
]);
export type UndoOf = z.infer<typeof undoOf>;

/** Something that the user did. `undo` is null if someone has changed the stay since, or it can't be taken back. */
export const doneItem = z.object({
  patientId,
  firstName: z.string(),
  lastName: z.string(),
  dateOfBirth: day.nullable(),
  /** Null without the permission canViewAllPatientDetails, and where none was given. */
  memberId: z.string().nullable(),
  /** The facility of the stay. */
  facilityName: z.string(),
  date: instant,
  status: z.object({ status: z.enum(MANAGEMENT_STATUSES), pings: z.number().int() }).nullable(),
  work: workChange.nullable(),
  undo: undoOf.nullable(),
});
export type DoneItem = z.infer<typeof doneItem>;

/** What a user did, newest first. `before`: asks for what was done before that; null if there is no more. */
export const donePage = z.object({ items: z.array(doneItem), before: instant.nullable() });
export type DonePage = z.infer<typeof donePage>;
