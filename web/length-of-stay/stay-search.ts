import { type FilterSearch, filterSearch } from '../filters/filter-search.ts';
import { definedEntries, oneOf } from '../router/search-values.ts';

/** What the rows of a page can be grouped by. */
export type GroupedBy = 'facility' | 'diagnosis';

/** The state of the page in its URL. */
export interface StaySearch extends FilterSearch {
  by?: GroupedBy;
}

/** Returns the state that the query of a URL holds; invalid parts are dropped. */
export const staySearch = (raw: Record<string, unknown>): StaySearch =>
  definedEntries({
    ...filterSearch(raw),
    by: oneOf(raw['by'], ['facility', 'diagnosis'] as const),
  });
