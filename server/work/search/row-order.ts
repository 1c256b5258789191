/** The sort columns of a list. */
import { MINUTE } from '#contract/durations.ts';
import type { SearchContext } from '#contract/facets.ts';
import { DEFAULT_SORT, defaultSortOrder, type SearchParameters, type SortKey } from '#contract/search.ts';
import type { Sort } from './columns/table.ts';
import { columnOf } from './schema.ts';

/** Columns by their plain names. Further columns sort rows that are equal by the first. */
const SORTS: Record<SortKey, readonly string[]> = {
  FIRST_NAME: ['firstName', 'lastName'],
  LAST_NAME: ['lastName', 'firstName'],
  MANAGEMENT_STATUS_DATE: ['statusAt'],
  PING_ENCOUNTER_DATE: ['eventAt'],
  VISIT_DURATION: ['stayMinutes'],
  LENGTH_OF_STAY: ['stayDays', 'stayMinutes'],
  ROOM_AND_BED: ['roomAndBed'],
  NUMBER_OF_ENCOUNTERS: ['encounters'],
  NUMBER_OF_OUTSIDE_ENCOUNTERS: ['outsideEncounters'],
  NUMBER_OF_PROGRAMS: ['programs'],
  NUMBER_OF_PRACTICES: ['practices'],
  URGENCY: ['urgency', 'eventAt'],
  DUE_DATE: ['dueDay', 'eventAt'],
  RELEVANCE: ['relevance'],
};

/** Only stays with pings have something due. Other lists ignore these keys. */
const OF_PINGS: ReadonlySet<SortKey> = new Set(['URGENCY', 'DUE_DATE']);

/** Returns the columns to sort by: those requested, else relevance if there is text, else the default. Equal rows are in order of their keys. */
export function orderOf(
  { sortBy, sortOrder, userDefinedFacetPreferences }: SearchParameters,
  context: SearchContext,
  now: Date,
): Sort[] {
  const hasText = userDefinedFacetPreferences.query.trim() !== '';
  const given = sortBy.filter((key) => (key !== 'RELEVANCE' || hasText) && (context === 'PINGS' || !OF_PINGS.has(key)));
  const keys: SortKey[] = given.length > 0 ? given : hasText ? ['RELEVANCE', 'LAST_NAME'] : [DEFAULT_SORT];
  const requestedOrder = given.length > 0 ? sortOrder : undefined;
  return keys.flatMap((key) =>
    SORTS[key].map((column) => ({
      by: column === 'relevance' ? column : columnOf(context, column),
      // Worst matches first is never useful.
      descending: column === 'relevance' || (requestedOrder ?? defaultSortOrder(key)) === 'DESC',
      ...(column === 'stayMinutes'
        ? { running: { since: columnOf(context, 'openSince'), until: Math.floor(now.getTime() / MINUTE) } }
        : {}),
    })),
  );
}
