import { z } from 'zod';
import { id } from '../primitives.ts';
import {
  customSpotlight,
  customSpotlightFields,
  SPOTLIGHTS,
  spotlight,
  spotlightList,
  spotlightPerson,
  spotlightQuery,
} from '../spotlights.ts';
import { pageAnswer, pageQuery, type RouteTable } from './route.ts';

const params = z.object({ subName: z.enum(SPOTLIGHTS) });

const one = z.object({ id });

export const spotlightsRoutes = {
  'GET /api/spotlights': {
    permission: 'canViewSpotlights',
    summary: 'List the spotlights, and the groups that they can be limited to',
    answer: spotlightList,
  },
  'GET /api/spotlights/custom': {
    permission: 'canViewCustomSpotlights',
    summary: "List the user's custom spotlights, and those that the team shares",
    answer: z.array(customSpotlight),
  },
  'POST /api/spotlights/custom': {
    permission: 'canViewCustomSpotlights',
    summary: 'Keep a custom spotlight',
    body: customSpotlightFields,
    answer: customSpotlight,
  },
  'PUT /api/spotlights/custom/:id': {
    permission: 'canViewCustomSpotlights',
    summary: 'Change a custom spotlight, and whether the team shares it',
    params: one,
    body: customSpotlightFields,
    answer: customSpotlight,
  },
  'DELETE /api/spotlights/custom/:id': {
    permission: 'canViewCustomSpotlights',
    summary: 'Delete a custom spotlight',
    params: one,
    status: 204,
  },
  'GET /api/spotlights/embedded': {
    permission: 'canViewSpotlightsWithTableau',
    summary: 'Get the page of another system that the organization shows among its spotlights',
    answer: z.object({ url: z.string().nullable() }),
  },
  'GET /api/spotlights/:subName': {
    permission: 'canViewSpotlights',
    summary: "Get a spotlight of a period, from the visits of the people on the team's lists",
    audit: 'spotlights.view',
    params,
    query: spotlightQuery,
    answer: spotlight,
  },
  'GET /api/spotlights/:subName/patients': {
    permission: 'canViewSpotlights',
    summary: 'List the patients behind a number of a spotlight, the latest first; needs canViewPatients too',
    audit: 'spotlights.patients',
    params,
    query: spotlightQuery.extend({
      facilityId: id.optional(),
      onlyHits: z.enum(['true', 'false']).default('true'),
      ...pageQuery,
    }),
    answer: z.object({ patients: z.array(spotlightPerson), ...pageAnswer }),
  },
} as const satisfies RouteTable;
