import type { SearchContext } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';

/** The flag that a filter of each list reports under: a filter of the event feed reports to those who may open the feed. */
export const REPORT_PERMISSIONS = {
  ALL: 'canViewPings',
  PINGS: 'canViewPings',
  EVENTS: 'canViewEventFeed',
} as const satisfies Record<SearchContext, Permission>;
