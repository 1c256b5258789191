import { expect, test } from 'vitest';
import { type Route, type RouteKey, routes } from '#contract/routes.ts';

/** Routes of a team, outside of administration, that neither read nor change patients' data. */
const WITHOUT_PATIENTS: RouteKey[] = [
  'GET /api/rosters/template.csv',
  'GET /api/rosters/:groupId/headers',
  // Names of groups, as recipients of a consent.
  'GET /api/consent-recipients',
  // Uploads with their counts, none of their rows.
  'GET /api/rosters/waiting',
  // A user's own filters, as the user wrote them.
  'GET /api/patient-search-params',
  'POST /api/patient-search-params',
  'PUT /api/patient-search-params/:id',
  'DELETE /api/patient-search-params/:id',
  'POST /api/patient-search-params/:id/uses',
  'GET /api/patient-search-params/preferences',
  'POST /api/patient-search-params/preferences',
  'DELETE /api/patient-search-params/preferences',
  'GET /api/notification-filter-preferences',
  'PUT /api/notification-filter-preferences',
  'PUT /api/notification-filter-preferences/:id',
  // The numbers of a rule; the names of fields.
  'GET /api/rising-risk/rule',
  'POST /api/export/fields',
  // The names of the team's users.
  'POST /api/colleagues',
  // Feeds, accounts and requests to join, without messages.
  'GET /api/feeds',
  'GET /api/feeds/unknown-senders',
  'GET /api/feeds/refused-senders',
  'GET /api/feeds/:id/health',
  'GET /api/list-gaps',
  'PUT /api/patient-search-params/:id/shared',
  // Users, pages and rights, without patients.
  'GET /api/reports/users',
  'GET /api/reports/route-audit',
  'GET /api/reports/access-review',
  'GET /api/spotlights',
  'GET /api/spotlights/custom',
  'GET /api/spotlights/embedded',
  'POST /api/spotlights/custom',
  'PUT /api/spotlights/custom/:id',
  'DELETE /api/spotlights/custom/:id',
  'POST /api/users',
  'POST /api/users/authorize-group',
];

test('every route that may answer or change patients’ data is audited', () => {
  const table: [string, Route][] = Object.entries(routes);
  const unaudited = table
    .filter(([, { permission, audit }]) => permission !== 'public' && permission !== 'signed-in' && audit === undefined)
    .map(([key]) => key)
    .filter((key) => !/ \/api\/admin\//.test(key));
  expect(unaudited.sort()).toEqual([...WITHOUT_PATIENTS].sort());
});
