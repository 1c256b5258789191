import { z } from 'zod';
import { LARGEST_PAGE_SIZE } from '../constants.ts';
import { patientResults } from '../patients.ts';
import { patientId } from '../primitives.ts';
import { facetCounts, facetOption, rangeCounts, rangeCountsQuery, searchParameters } from '../search.ts';
import { patientOption, patientTypeaheadQuery, TYPEAHEAD_KINDS, typeaheadQuery } from '../typeahead.ts';
import type { RouteTable } from './route.ts';

const searchResults = patientResults.extend({ facets: facetCounts });

export const searchRoutes = {
  'POST /api/patients/search': {
    permission: 'canViewPatients',
    summary:
      "Search patients: one row per person, or those of another `searchContext`, which needs that list's permission; with facet counts",
    audit: 'patients.search',
    body: searchParameters,
    nullIsUnset: true,
    answer: searchResults,
  },
  'GET /api/patients/count': {
    permission: 'canViewPatients',
    summary: 'Count patients without any filter',
    audit: 'patients.count',
    answer: z.object({ count: z.number().int() }),
  },
  'POST /api/patients/range-counts': {
    permission: 'canViewPatients',
    summary: 'Count patients of a list by ranges of age, visit duration or length of stay',
    audit: 'patients.range-counts',
    body: rangeCountsQuery,
    nullIsUnset: true,
    answer: rangeCounts,
  },
  'POST /api/patients/similar-names': {
    permission: ['canViewPatients', 'canViewPings'],
    summary: "Find which of these patients have a similar name on the team's lists",
    audit: 'patients.similar-names',
    body: z.object({ patientIds: z.array(patientId).max(LARGEST_PAGE_SIZE) }),
    answer: z.object({ patientIds: z.array(patientId) }),
  },
  'POST /api/events/search': {
    permission: 'canViewEventFeed',
    summary: 'Search events: one row per event, with facet counts',
    audit: 'events.search',
    body: searchParameters,
    nullIsUnset: true,
    answer: searchResults,
  },
  'POST /api/typeahead/patients': {
    permission: ['canViewPatients', 'canViewPings', 'canViewEventFeed'],
    summary: 'Suggest patients by the start of a name or identifier, or by birth date',
    audit: 'patients.typeahead',
    body: patientTypeaheadQuery,
    nullIsUnset: true,
    answer: z.array(patientOption),
  },
  'POST /api/typeahead/:kind': {
    permission: ['canViewPatients', 'canViewPings', 'canViewEventFeed'],
    summary: 'Suggest values of a facet, with counts',
    audit: 'facets.typeahead',
    params: z.object({ kind: z.enum(TYPEAHEAD_KINDS) }),
    body: typeaheadQuery,
    nullIsUnset: true,
    answer: z.array(facetOption),
  },
} as const satisfies RouteTable;
