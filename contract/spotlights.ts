/** Spotlights: what happened to the people on a team's lists in a period, as numbers. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';

/** The sub-names of /analytics, in the order in which they are offered. */
export const SPOTLIGHTS = [
  'readmissions',
  'plan-readmissions',
  'admissions-and-ed-use',
  'length-of-stay',
  'follow-up',
  'alert-load',
  'time-to-resolve',
  'feed-timeliness',
] as const;
export type SpotlightName = (typeof SPOTLIGHTS)[number];

/** SHARE: hits of all cases. RATE: cases for each 1,000 people and year. LOAD: cases for each 100 people and day. MEDIAN_DAYS, MEDIAN_MINUTES: of the cases' own values. */
export const SPOTLIGHT_UNITS = ['SHARE', 'RATE', 'LOAD', 'MEDIAN_DAYS', 'MEDIAN_MINUTES'] as const;
export type SpotlightUnit = (typeof SPOTLIGHT_UNITS)[number];

/** Numbers from 1 to below this are not shown (the cell size policy of CMS), nor any that they could be worked out from. */
export const FEWEST_CASES = 11;
/** A period is at most so many days. */
export const LONGEST_PERIOD = 366;
/** A period begins at most so many days ago. */
export const OLDEST_PERIOD = 730;

const day = z.iso.date();

/** The calendar's periods that one can be, whole or running. */
export const CALENDAR_PERIODS = ['MONTH', 'QUARTER'] as const;

export const spotlightQuery = z.object({
  /** Both days belong to the period. Without them it is the last whole quarter. */
  from: day.optional(),
  to: day.optional(),
  /** The calendar period that it is or has begun to be, which is compared with the one before it; any other is compared with the days before. */
  calendar: z.enum(CALENDAR_PERIODS).optional(),
  /** One of the team's groups; without it all of those for which the user holds canViewSpotlights. */
  groupId: id.optional(),
  /** Only people whom this saved filter finds: the user's own, or one that the team shares. */
  filterId: id.optional(),
});

/** One number. */
export const spotlightFigure = z.object({
  /** By the spotlight's unit; a share is between 0 and 1. Null if there is nothing to count, then both numbers are 0; and if small numbers must not be shown, then both are null. */
  value: z.number().nullable(),
  /** The cases that count. */
  numerator: z.number().int().nullable(),
  /** What they are counted of: cases, or people for a RATE and a LOAD. */
  denominator: z.number().int().nullable(),
});
export type SpotlightFigure = z.infer<typeof spotlightFigure>;

const spotlightPeriod = z.object({
  from: day,
  to: day,
  /** Something may still be added to what is counted in it. */
  isIncomplete: z.boolean(),
});

export const spotlight = z.object({
  name: z.enum(SPOTLIGHTS),
  unit: z.enum(SPOTLIGHT_UNITS),
  asOf: instant,
  period: spotlightPeriod,
  figure: spotlightFigure,
  /** The calendar period before it, as far as this one has run; of any other the same number of days before it. */
  previous: spotlightPeriod.extend({ figure: spotlightFigure }),
  /** How the period compares with the previous one, at a confidence of 95 %. */
  comparison: z.enum(['HIGHER', 'LOWER', 'NOT_SIGNIFICANT', 'TOO_FEW']),
  months: z.array(spotlightPeriod.extend({ figure: spotlightFigure })),
  /** By facility, the most cases first; then those whose numbers are hidden, by name. */
  facilities: z.array(z.object({ id, name: z.string(), figure: spotlightFigure })),
  /** The people whom the groups listed on some day of the period, as far as they were looked at. Null if they are 1 to 10, as `open`. */
  people: z.number().int().nullable(),
  /** The cases of a SHARE that are not counted yet, because their time has not passed. */
  open: z.number().int().nullable(),
  /** How the pings of alert-load ended; null for others, and if one of the numbers is too small to be shown. */
  endings: z.object({ byPeople: z.number().int(), bySystem: z.number().int(), open: z.number().int() }).nullable(),
  /** Which share of all was looked at, a fixed part of more than 20,000; null if it was all. */
  share: z.number().nullable(),
});
export type Spotlight = z.infer<typeof spotlight>;

/** The periods that a custom spotlight is read for; the days follow from the day on which it is read. */
export const SPOTLIGHT_PERIODS = [
  'last-quarter',
  'this-quarter',
  'last-month',
  'this-month',
  'last-12-months',
] as const;
/** What a custom spotlight shows first. */
export const BREAKDOWNS = ['MONTH', 'FACILITY'] as const;
export const SPOTLIGHT_NAME_LIMIT = 120;
export const SPOTLIGHT_NAME_TOO_LONG = `Use at most ${SPOTLIGHT_NAME_LIMIT} characters.`;
export const CUSTOM_SPOTLIGHTS_LIMIT = 60;

/** A question that is kept: whom it is about, what is counted, how it is broken down, and of which period. */
export const customSpotlightFields = z.object({
  title: z.string().trim().min(1, 'Enter a name.').max(SPOTLIGHT_NAME_LIMIT, SPOTLIGHT_NAME_TOO_LONG),
  name: z.enum(SPOTLIGHTS),
  period: z.enum(SPOTLIGHT_PERIODS),
  breakdown: z.enum(BREAKDOWNS),
  /** Null: all of the team's groups. */
  groupId: id.nullable(),
  /** Null: everyone on the lists. A shared spotlight needs a shared filter. */
  filterId: id.nullable(),
  /** Whether everyone on the team sees it. */
  isShared: z.boolean(),
});
export type CustomSpotlightFields = z.infer<typeof customSpotlightFields>;

export const customSpotlight = customSpotlightFields.extend({
  id,
  /** Null if there is none, or the user can't see it. */
  filterName: z.string().nullable(),
  /** Its saved filter has been deleted or is no longer shared, so it would count other people. Its owner has to choose again. */
  lacksFilter: z.boolean(),
  owner: z.object({ name: z.string(), isYou: z.boolean() }),
  /** The owner, and for a shared one those who manage the team's users. */
  mayChange: z.boolean(),
});
export type CustomSpotlight = z.infer<typeof customSpotlight>;

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
  /** Null without the permission canViewAllPatientDetails, and where none was given. */
  memberId: z.string().nullable(),
  facilityName: z.string(),
  day,
  /** Whether the case counts in the numerator; by the unit MEDIAN its value. */
  value: z.number(),
});
export type SpotlightPerson = z.infer<typeof spotlightPerson>;
