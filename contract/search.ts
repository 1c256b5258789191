/** Search parameters, as every list of patients and pings takes them (specification, second file, section 3). */
import { z } from 'zod';
import { LARGEST_PAGE_SIZE } from './constants.ts';
import { id } from './primitives.ts';

export const SEARCH_CONTEXTS = ['ALL', 'EVENTS', 'PINGS'] as const;

export const SORT_KEYS = [
  'FIRST_NAME',
  'LAST_NAME',
  'MANAGEMENT_STATUS_DATE',
  'PING_ENCOUNTER_DATE',
  'VISIT_DURATION',
  'LENGTH_OF_STAY',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** Facet names that this version filters on. */
export const FACETS = ['managementStatus', 'latestPingResolutionReason', 'group'] as const;
export type Facet = (typeof FACETS)[number];

export const filterValue = z.object({
  field: z.string().max(60),
  value: z.string().max(200),
  negated: z.boolean().default(false),
  loggableFilterRepresentation: z.string().max(200).optional(),
});

export const facetPreferences = z.object({
  query: z.string().max(200).default(''),
  dateOfBirth: z.string().nullable().default(null),
  /** Facet name to the set of its filter values: OR within a facet, AND between facets. */
  preferenceMap: z.partialRecord(z.enum(FACETS), z.array(filterValue).max(200)).default({}),
  openPatientsOnly: z.boolean().default(false),
});

export const searchParameters = z.object({
  name: z.string().max(200).optional(),
  visibleTo: z.array(id).max(1000).optional(),
  ignoredPatientIds: z.array(z.string().max(40)).max(1000).optional(),
  searchContext: z.enum(SEARCH_CONTEXTS).default('PINGS'),
  userDefinedFacetPreferences: facetPreferences.prefault({}),
  sortBy: z.array(z.enum(SORT_KEYS)).max(3).default(['PING_ENCOUNTER_DATE']),
  sortOrder: z.enum(['ASC', 'DESC']).default('DESC'),
  pageNumber: z.number().int().min(1).default(1),
  pageSize: z.number().int().min(1).max(LARGEST_PAGE_SIZE).default(20),
});
export type SearchParameters = z.infer<typeof searchParameters>;
export type SearchParametersInput = z.input<typeof searchParameters>;
