/** Which page of the product is at which tracked location. Without zod: the browser loads it as it is. */
import type { APPLICATION_LOCATIONS, OTHER_LOCATIONS } from './usage.ts';

export type UsageLocation = (typeof APPLICATION_LOCATIONS | typeof OTHER_LOCATIONS)[number];
/** Pages under the base of any experience. The first match counts. */
const PAGES: readonly (readonly [path: string, UsageLocation])[] = [
  ['patients/my-patients', 'patient roster'],
  ['(home/)?inbox', 'ping feed'],
  ['patients/[^/]+/case-management', 'case management'],
  ['patients/[^/]+/care-team', 'care team'],
  ['patients/[^/]+/attachments', 'attachments'],
  ['patients/[^/]+', 'patient story'],
  ['length-of-stay', 'length of stay'],
  ['user-report', 'user report'],
  ['pre-admit', 'pre-admit'],
  ['user-profile', 'user profile'],
  ['event-feed', 'event feed'],
  ['rising-risk', 'rising risk'],
  ['whats-new', 'whats new'],
  ...(['analytics', 'admin', 'feeds', 'rosters', 'exports'] as const).map((page) => [page, page] as const),
];
/** The location of each path. The first match counts. */
export const LOCATIONS: readonly [RegExp, UsageLocation][] = [
  [/^\/(login|registration|(password|forgot-password)\b)/, 'login'],
  [/^\/hospital\/?$/, 'patient roster'],
  ...PAGES.map(([path, page]): [RegExp, UsageLocation] => [new RegExp(`^(/dashboard|/hospital|/ehr)?/${path}`), page]),
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
