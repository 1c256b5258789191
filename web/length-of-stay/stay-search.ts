import { type FilterSearch, filterSearch, present } from '../filters/filter-search.ts';

/** What the rows of a page can stand under. */
export type GroupedBy = 'facility' | 'diagnosis';

/** The state of the page as its address carries it. */
export interface StaySearch extends FilterSearch {
  by?: GroupedBy;
}

/** Reads an address; what cannot be is left out. */
export const staySearch = (raw: Record<string, unknown>): StaySearch =>
  present({ ...filterSearch(raw), by: raw['by'] === 'facility' || raw['by'] === 'diagnosis' ? raw['by'] : undefined });
