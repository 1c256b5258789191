/**
 * By what the use of a permission is known: calls of the API that need it, and pages that need it. A permission with neither only changes
 * what other pages show, and its use is not recorded.
 */
import { type Permission, routeFlags } from './permissions.ts';
import { type RouteKey, routes } from './routes.ts';
import type { UsageLocation } from './usage-locations.ts';

/** Calls that an open page makes by itself: they say that someone was there, not that they used a right. */
const BY_ITSELF: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'GET /api/live',
  'GET /api/list-gaps',
  'GET /api/pings/count/:kind',
  'POST /api/pings-result-hashes',
  'GET /api/patients/count',
  'POST /api/patients/range-counts',
  'POST /api/patients/similar-names',
  'GET /api/feeds/reviews',
  'GET /api/admin/pending-grants',
  'GET /api/rosters/waiting',
  'GET /api/rising-risk/rule',
  'POST /api/patients/:id/viewing',
  'DELETE /api/patients/:id/viewing',
]);

/** The permission that opens each page, where one alone does. */
const PAGE_FLAGS: Partial<Record<UsageLocation, Permission>> = {
  'patient roster': 'canViewPatients',
  'ping feed': 'canViewPings',
  'length of stay': 'canViewLengthOfStay',
  'pre-admit': 'canUsePreAdmit',
  'event feed': 'canViewEventFeed',
  'rising risk': 'canViewRiskingRisk',
  analytics: 'canViewSpotlights',
  admin: 'canManageUsers',
  feeds: 'canManageUsers',
  rosters: 'canUploadRoster',
};

/** Returns the permissions that an answered call used, any of which allows it; none for a call that no user decided to make. */
export const flagsUsedBy = (route: RouteKey): readonly Permission[] =>
  BY_ITSELF.has(route) ? [] : routeFlags(routes[route].permission);

/** Each route or location with a permission that its use shows. */
export const RIGHT_SIGNS: readonly (readonly [sign: string, flag: Permission])[] = [
  ...(Object.keys(routes) as RouteKey[]).flatMap((route) => flagsUsedBy(route).map((flag) => [route, flag] as const)),
  ...(Object.entries(PAGE_FLAGS) as [UsageLocation, Permission][]),
];

/** The permissions whose use is recorded. */
export const RECORDED_FLAGS: ReadonlySet<Permission> = new Set(RIGHT_SIGNS.map(([, flag]) => flag));
