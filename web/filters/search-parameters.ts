import { FACETS, type Facet } from '#contract/facets.ts';
import { RECENTLY_DISCHARGED_DAYS } from '#contract/saved-filter-words.ts';
import type { SavedFilter, SavedFilterFields } from '#contract/saved-filters.ts';
import type { FilterValue, SearchContext, SearchParametersInput } from '#contract/search.ts';
import { DEFAULT_SORT, defaultSortOrder } from '#contract/sorts.ts';
import type { Criteria, Filters } from './criteria.ts';

/** What a search needs besides its criteria. */
interface ListContext {
  context: SearchContext;
  /** Filters that the list always has, such as the management status in the inbox. */
  always?: Filters;
  visibleTo?: string[] | undefined;
  page?: number;
  /** How many values of each facet to count; 0 while no panel shows them. */
  facetSize?: number;
}

const DISCHARGED: FilterValue = {
  field: 'dischargedDaysAgo',
  value: `0:${RECENTLY_DISCHARGED_DAYS}`,
  negated: false,
};

const preferencesOf = ({ view, filters, openPatientsOnly, text, dateOfBirth }: Criteria, always: Filters = {}) => ({
  query: text,
  dateOfBirth,
  preferenceMap: {
    ...always,
    ...filters,
    ...(view === 'RECENTLY_DISCHARGED' ? { dischargedDaysAgo: [DISCHARGED] } : {}),
  },
  openPatientsOnly: openPatientsOnly || view === 'CURRENTLY_ADMITTED',
});

/** Returns the body of a search call. */
export const parametersOf = (criteria: Criteria, list: ListContext): SearchParametersInput => ({
  searchContext: list.context,
  ...(list.visibleTo ? { visibleTo: list.visibleTo } : {}),
  ...(criteria.ignored.length > 0 ? { ignoredPatientIds: [...criteria.ignored] } : {}),
  userDefinedFacetPreferences: preferencesOf(criteria, list.always),
  sortBy: [criteria.sort],
  sortOrder: criteria.order,
  pageNumber: list.page ?? 1,
  pageSize: criteria.size,
  termFacetSizeOverride: list.facetSize ?? 0,
});

/** Of what a list always has, a saved filter keeps this, so that it finds and notifies of the same people elsewhere. */
const keptOf = ({ riskList }: Filters = {}): Filters => (riskList ? { riskList } : {});

/** Returns what a saved filter stores. A fixed filter becomes the facets that it consists of. */
export const savedFieldsOf = (criteria: Criteria, name: string, list: ListContext): SavedFilterFields => {
  const { termFacetSizeOverride: _, ...parameters } = parametersOf(criteria, { ...list, always: keptOf(list.always) });
  return { ...parameters, name };
};

/** Facets that a list sets itself and no saved filter may change. */
const SET_BY_LIST: readonly Facet[] = ['managementStatus', 'owner', 'waiting'];

/** Returns the criteria of a saved filter, without facets that this version does not know. */
export const criteriaOfSaved = (saved: SavedFilter): Criteria => {
  const { query, dateOfBirth, preferenceMap, openPatientsOnly } = saved.userDefinedFacetPreferences;
  const filters = Object.entries(preferenceMap).filter(
    ([facet, values]) => facet in FACETS && !SET_BY_LIST.includes(facet as Facet) && values.length > 0,
  );
  const sort = saved.sortBy[0] ?? (query ? 'RELEVANCE' : DEFAULT_SORT);
  return {
    view: null,
    filters: Object.fromEntries(filters.map(([facet, values]) => [facet, values.map(plain)])),
    openPatientsOnly,
    text: query,
    dateOfBirth,
    ignored: saved.ignoredPatientIds ?? [],
    sort,
    order: saved.sortOrder ?? defaultSortOrder(sort),
    size: saved.pageSize,
  };
};
const plain = ({ field, value, negated }: FilterValue): FilterValue => ({ field, value, negated });
