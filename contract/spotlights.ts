/** Spotlights: what happened to the people on a team's lists in a period, as numbers. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';

/** The sub-names of /analytics, in the order in which they are offered. */
export const SPOTLIGHTS = [
  'readmissions',
  'admissions-and-ed-use',
  'length-of-stay',
  'follow-up',
  'time-to-resolve',
  'feed-timeliness',
] as const;
export type SpotlightName = (typeof SPOTLIGHTS)[number];

/** SHARE: hits of all cases. RATE: cases for each 1,000 people and year. MEDIAN_DAYS, MEDIAN_MINUTES: of the cases' own values. */
export const SPOTLIGHT_UNITS = ['SHARE', 'RATE', 'MEDIAN_DAYS', 'MEDIAN_MINUTES'] as const;
export type SpotlightUnit = (typeof SPOTLIGHT_UNITS)[number];

/** Fewer cases than this are not shown (the cell size policy of CMS), and no share is made of them. */
export const FEWEST_CASES = 11;
/** A period is at most so many days. */
export const LONGEST_PERIOD = 366;
/** A period begins at most so many days ago. */
export const OLDEST_PERIOD = 730;

const day = z.iso.date();

export const spotlightQuery = z.object({
  /** Both days belong to the period. */
  from: day,
  to: day,
  /** One of the team's groups; without it all of those for which the user holds canViewSpotlights. */
  groupId: id.optional(),
});

/** One number. */
export const spotlightFigure = z.object({
  /** By the spotlight's unit; a share is between 0 and 1. Null if there are too few cases to tell. */
  value: z.number().nullable(),
  /** The cases that count. Null if they are too few to be shown. */
  numerator: z.number().int().nullable(),
  /** What they are counted of: cases, or people for a RATE. */
  denominator: z.number().int().nullable(),
});
export type SpotlightFigure = z.infer<typeof spotlightFigure>;

const spotlightPeriod = z.object({
  from: day,
  to: day,
  /** Something may still be added to what is counted in it. */
  isIncomplete: z.boolean(),
});
export type SpotlightPeriod = z.infer<typeof spotlightPeriod>;

export const spotlight = z.object({
  name: z.enum(SPOTLIGHTS),
  unit: z.enum(SPOTLIGHT_UNITS),
  asOf: instant,
  period: spotlightPeriod,
  figure: spotlightFigure,
  /** The period of the same length before it. */
  previous: spotlightPeriod.extend({ figure: spotlightFigure }),
  /** How the period compares with the previous one, at a confidence of 95 %. */
  comparison: z.enum(['HIGHER', 'LOWER', 'NOT_SIGNIFICANT', 'TOO_FEW']),
  months: z.array(spotlightPeriod.extend({ figure: spotlightFigure })),
  /** By facility, the most cases first. */
  facilities: z.array(z.object({ id, name: z.string(), figure: spotlightFigure })),
  /** The people on the lists now, and how many of them were looked at: a fixed part of more than 20,000. */
  people: z.number().int(),
  checked: z.number().int(),
});
export type Spotlight = z.infer<typeof spotlight>;

export const spotlightList = z.object({
  spotlights: z.array(z.enum(SPOTLIGHTS)),
  /** The groups that one can be limited to. */
  groups: z.array(z.object({ id, name: z.string() })),
});

/** Someone behind a number. */
export const spotlightPerson = z.object({
  /** Opens the patient's page, at the visit. */
  patientId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  dateOfBirth: day.nullable(),
  facilityName: z.string(),
  day,
  /** Whether the case counts in the numerator; by the unit MEDIAN its value. */
  value: z.number(),
});
export type SpotlightPerson = z.infer<typeof spotlightPerson>;
