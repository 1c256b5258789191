/** Which page of the product is at which tracked location. Without zod: the browser loads it as it is. */
import type { APPLICATION_LOCATIONS, OTHER_LOCATIONS } from './usage.ts';

export type UsageLocation = (typeof APPLICATION_LOCATIONS | typeof OTHER_LOCATIONS)[number];
const BASE = /^\/(dashboard|hospital|ehr)(?=\/)/;
/** How the paths of pages begin, after the base of the experience. The first match counts. */
export const PAGES: readonly (readonly [start: string, UsageLocation])[] = [
  ['/patients/my-patients', 'patient roster'],
  ['/home/inbox', 'ping feed'],
  ['/inbox', 'ping feed'],
  ['/patients/', 'patient story'],
  ['/analytics', 'analytics'],
  ['/length-of-stay', 'length of stay'],
  ['/user-report', 'user report'],
  ['/pre-admit', 'pre-admit'],
  ['/user-profile', 'user profile'],
  ['/event-feed', 'event feed'],
  ['/rising-risk', 'rising risk'],
  ['/admin', 'admin'],
  ['/feeds', 'feeds'],
  ['/rosters', 'rosters'],
  ['/exports', 'exports'],
  ['/whats-new', 'whats new'],
];

/** Returns the location of a path, for analytics without its sub-name; null if the path isn't tracked. */
export const pageOf = (path: string): UsageLocation | null => {
  if (/^\/(login|registration|(password|forgot-password)\b)/.test(path)) return 'login';
  if (/^\/hospital\/?$/.test(path)) return 'patient roster';
  const bare = path.replace(BASE, '');
  const part = /^\/patients\/[^/]+\/(case-management|care-team|attachments)/.exec(bare)?.[1];
  if (part) return part.replace('-', ' ') as UsageLocation;
  return PAGES.find(([start]) => bare.startsWith(start))?.[1] ?? null;
};

/** Returns the usage-tracking location of a path, for analytics with its sub-name; null if the path isn't tracked. */
export const locationOf = (path: string): string | null => {
  const location = pageOf(path);
  const subName = location === 'analytics' ? /\/analytics\/([a-z0-9-]+)/.exec(path)?.[1] : null;
  return subName ? `analytics ${subName}`.slice(0, 100) : location;
};
