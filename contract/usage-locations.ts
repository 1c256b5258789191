/** Which page of the product is at which tracked location. Without zod: the browser loads it as it is. */
import type { APPLICATION_LOCATIONS, OTHER_LOCATIONS } from './usage.ts';

export type UsageLocation = (typeof APPLICATION_LOCATIONS | typeof OTHER_LOCATIONS)[number];
const BASE = '(?:/dashboard|/hospital|/ehr)?';
/** The location of each path, under the base of any experience. The first match counts. */
export const LOCATIONS: readonly [RegExp, UsageLocation][] = [
  [new RegExp('^/login|^/registration|^/(password|forgot-password)\\b'), 'login'],
  [/^\/hospital\/?$/, 'patient roster'],
  [new RegExp(`^${BASE}/patients/my-patients`), 'patient roster'],
  [new RegExp(`^${BASE}(?:/home)?/inbox`), 'ping feed'],
  [new RegExp(`^${BASE}/patients/[^/]+/case-management`), 'case management'],
  [new RegExp(`^${BASE}/patients/[^/]+/care-team`), 'care team'],
  [new RegExp(`^${BASE}/patients/[^/]+/attachments`), 'attachments'],
  [new RegExp(`^${BASE}/patients/[^/]+`), 'patient story'],
  [new RegExp(`^${BASE}/analytics`), 'analytics'],
  [new RegExp(`^${BASE}/length-of-stay`), 'length of stay'],
  [new RegExp(`^${BASE}/user-report`), 'user report'],
  [new RegExp(`^${BASE}/pre-admit`), 'pre-admit'],
  [new RegExp(`^${BASE}/user-profile`), 'user profile'],
  [new RegExp(`^${BASE}/event-feed`), 'event feed'],
  [new RegExp(`^${BASE}/rising-risk`), 'rising risk'],
  [new RegExp(`^${BASE}/admin`), 'admin'],
  [new RegExp(`^${BASE}/feeds`), 'feeds'],
  [new RegExp(`^${BASE}/rosters`), 'rosters'],
  [new RegExp(`^${BASE}/exports`), 'exports'],
  [new RegExp(`^${BASE}/whats-new`), 'whats new'],
];

/** Returns the location of a path, for analytics without its sub-name; null if the path isn't tracked. */
export const pageOf = (path: string): UsageLocation | null =>
  LOCATIONS.find(([pattern]) => pattern.test(path))?.[1] ?? null;

/** Returns the usage-tracking location of a path, for analytics with its sub-name; null if the path isn't tracked. */
export const locationOf = (path: string): string | null => {
  const location = pageOf(path);
  const subName = location === 'analytics' ? /\/analytics\/([a-z0-9-]+)/.exec(path)?.[1] : null;
  return subName ? `analytics ${subName}`.slice(0, 100) : location;
};
