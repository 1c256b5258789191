/** A patient's story: the visits with all that happened in them, and what they add up to. */
import { z } from 'zod';
import { EVENT_CODES } from './event-codes.ts';
import { diagnosisDetails, encounterDetails } from './patient-details.ts';
import { facility, ping } from './pings.ts';
import { id, instantOrDay } from './primitives.ts';

/** Kinds of visits that a reader chooses from. OTHER: what is none of the three, such as a visit to a clinic. */
export const VISIT_KINDS = ['ED', 'INPATIENT', 'POST_ACUTE', 'OTHER'] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];

export const storyEncounter = encounterDetails.extend({
  kind: z.enum(VISIT_KINDS),
  /** All that happened, in the form of pings, newest first: also what the team got no ping for. */
  events: z.array(ping),
  /** The first stay of the episode: the stays that follow each other without a night at home. The visit's own id if it stands alone. */
  episodeId: id,
  /** The first and the last month (YYYY-MM) without any visit just before it, if there are two or more. */
  gapBefore: z.object({ from: z.string(), to: z.string() }).nullable(),
});
export type StoryEncounter = z.infer<typeof storyEncounter>;

const pages = { total: z.number().int(), numPages: z.number().int() };

export const storyEncounters = z.object({
  /** Newest first. */
  encounters: z.array(storyEncounter),
  ...pages,
  /** Facilities with visits, to choose from, whatever is chosen. */
  facilities: z.array(z.object({ id, name: z.string() })),
});
export type StoryEncounters = z.infer<typeof storyEncounters>;

export const hhaCoverage = z.object({
  /** Periods in which a home health agency looked after the patient, newest first. */
  coverages: z.array(
    z.object({
      id,
      agency: facility,
      startDate: instantOrDay.nullable(),
      /** Null while it goes on. */
      endDate: instantOrDay.nullable(),
      /** In words. */
      duration: z.string().nullable(),
    }),
  ),
  ...pages,
});

/** The latest event of a visit. */
export const encounterSummary = z.object({
  encounterId: id,
  event: z.object({ eventDate: instantOrDay, status: z.enum(EVENT_CODES) }),
  encounter: z.object({ admittingFacility: facility }),
});

export const diagnosisSummary = diagnosisDetails.extend({
  /** Visits with it. */
  encounterCount: z.number().int(),
  /** When it was named first, and when it got its type in the last of them: the days of the messages, or of visits whose days aren't known the beginning. */
  firstDate: instantOrDay.nullable(),
  lastDate: instantOrDay.nullable(),
  /** Where it was said last. */
  facilityName: z.string(),
});
export type DiagnosisSummary = z.infer<typeof diagnosisSummary>;
