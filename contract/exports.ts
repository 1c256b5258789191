/** Exports: what can be asked for, and the jobs that make the files. */
import { z } from 'zod';
import { EVENT_CODES } from './event-codes.ts';
import {
  EXPORT_FAILURES,
  EXPORT_FIELD_IDS,
  EXPORT_SECTIONS,
  EXPORT_TYPES,
  type ExportFailure,
} from './export-fields.ts';
import { SEARCH_CONTEXTS } from './facets.ts';
import { id, instant, realDay, teamOfDownload } from './primitives.ts';
import { facetPreferences, searchParameters, storedFilterValues } from './search.ts';

/** A query key that may come several times, or once with its values separated by commas. */
const repeated = <T extends z.ZodType<string, string>>(each: T, most: number) =>
  z
    .union([
      each.transform((one) => [one]),
      z.array(each).max(most),
      z
        .string()
        .max(20_000)
        .transform((text) => text.split(','))
        .pipe(z.array(each).max(most)),
    ])
    .default([]);

export const exportFieldsQuery = z.object({
  /** The groups to export for; by default all for which the user may view patients. */
  groupIds: z.array(id).max(1000).default([]),
});

export const exportField = z.object({
  id: z.enum(EXPORT_FIELD_IDS),
  label: z.string(),
  section: z.enum(EXPORT_SECTIONS),
  isDefault: z.boolean(),
});
export type ExportField = z.infer<typeof exportField>;

/** Keys that are not known are refused: one that was misspelled would leave its limit out, and widen the export. */
export const activeEncountersQuery = z.strictObject({
  ...teamOfDownload,
  /** A saved filter; without one, all patients of the list. */
  filterId: z
    .literal('')
    .transform(() => undefined)
    .or(id)
    .optional(),
  searchContext: z.enum(SEARCH_CONTEXTS).default('ALL'),
});

export const exportTypeQuery = z.strictObject({ exportType: z.enum(EXPORT_TYPES).default('CSV') });

/** Of a list's search parameters, with the keys of each part: one that is not known is refused here, too. */
export const listExportBody = searchParameters
  .extend({ userDefinedFacetPreferences: facetPreferences.strict().prefault({}) })
  .strict();

/** `filterId`: the saved filter that the list has, as it was saved. Its name is shown beside the file; what is searched for is in the body. */
export const listExportQuery = exportTypeQuery.extend({ filterId: id.optional() });

const exportDay = realDay.refine(
  (text) => text >= '1900-01-01' && text < '2200-01-01',
  'Must be a date from 1900 to 2199.',
);

export const encountersExportQuery = exportTypeQuery
  .extend({
    /** By default all groups for which the user may view patients. */
    groupIds: repeated(id, 1000),
    /** Codes of events: an encounter is exported if it has one of them between the dates; by default any. */
    statuses: repeated(z.enum(EVENT_CODES), EVENT_CODES.length),
    /** By default those that are chosen unless the user chooses otherwise. */
    fields: repeated(z.enum(EXPORT_FIELD_IDS), EXPORT_FIELD_IDS.length),
    /** Days at the facility, both included. */
    beginDate: exportDay.optional(),
    endDate: exportDay.optional(),
  })
  .refine(({ beginDate, endDate }) => !beginDate || !endDate || beginDate <= endDate, {
    path: ['endDate'],
    message: 'The end date must not be before the begin date.',
  });
export type EncountersExportQuery = z.infer<typeof encountersExportQuery>;

/** What limits an export, besides the dates in its name. What was typed into a list, a name or a birth date, is only mentioned. */
export const exportLimits = z.object({
  /** Whose patients are in the file: up to three of the groups, and how many there are. */
  groups: z.object({ names: z.array(z.string()), count: z.number().int() }),
  /** Of encounters: the events that they must have had; none for any. */
  statuses: z.array(z.enum(EVENT_CODES)),
  /** Of a list; null for encounters, and for lists that were exported before it was kept. */
  list: z
    .object({
      /** What the saved filter was called that the list had; null for none, and for one that had been changed. */
      filterName: z.string().nullable(),
      preferenceMap: storedFilterValues,
      openPatientsOnly: z.boolean(),
      hasText: z.boolean(),
      hasBirthDate: z.boolean(),
      /** How many patients are hidden. */
      hidden: z.number().int(),
    })
    .nullable(),
});
export type ExportLimits = z.infer<typeof exportLimits>;

export const exportJob = z.object({
  id,
  /** E.g. "Encounters, 11/01/2026 to 11/20/2026". */
  name: z.string(),
  limits: exportLimits,
  teamId: id.nullable(),
  teamName: z.string().nullable(),
  exportType: z.enum(EXPORT_TYPES),
  createdAt: instant,
  modifiedAt: instant,
  inProgress: z.boolean(),
  /** Whether the work on it has begun. */
  started: z.boolean(),
  failed: z.boolean(),
  failure: z.enum(Object.keys(EXPORT_FAILURES) as [ExportFailure]).nullable(),
  /** Rows written so far. */
  rows: z.number().int(),
  /** How many rows there will be; null if that is known only at the end. */
  total: z.number().int().nullable(),
  bytes: z.number().int(),
  /** Until when the file is kept; null while in progress. */
  expiresAt: instant.nullable(),
});
export type ExportJob = z.infer<typeof exportJob>;
