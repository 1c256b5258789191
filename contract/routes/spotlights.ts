import { z } from 'zod';
import { id } from '../primitives.ts';
import { SPOTLIGHTS, spotlight, spotlightList, spotlightPerson, spotlightQuery } from '../spotlights.ts';
import { pageAnswer, pageQuery, type RouteTable } from './route.ts';

const params = z.object({ subName: z.enum(SPOTLIGHTS) });

export const spotlightsRoutes = {
  'GET /api/spotlights': {
    permission: 'canViewSpotlights',
    summary: 'List the spotlights, and the groups that they can be limited to',
    answer: spotlightList,
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
