import { FACETS, type Facet } from '#contract/facets.ts';
import { RECENTLY_DISCHARGED_DAYS } from '#contract/saved-filter-words.ts';
import type { SavedFilter, SavedFilterFields } from '#contract/saved-filters.ts';
import type { FilterValue, SearchContext, SearchParametersInput } from '#contract/search.ts';
import { DEFAULT_SORT, defaultSortOrder } from '#contract/sorts.ts';
import type { Criteria, Filters } from './criteria.ts';

interface Beside {
  context: SearchContext;
  /** Filters that the list always has, e.g. the management status of the inbox. */
  always?: Filters;
  visibleTo?: string[] | undefined;
  page?: number;
  /** How many values of each facet are counted; 0 while no panel shows them. */
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

/** What a search call takes for criteria. */
export const parametersOf = (criteria: Criteria, beside: Beside): SearchParametersInput => ({
  searchContext: beside.context,
  ...(beside.visibleTo ? { visibleTo: beside.visibleTo } : {}),
  ...(criteria.ignored.length > 0 ? { ignoredPatientIds: [...criteria.ignored] } : {}),
  userDefinedFacetPreferences: preferencesOf(criteria, beside.always),
  sortBy: [criteria.sort],
  sortOrder: criteria.order,
  pageNumber: beside.page ?? 1,
  pageSize: criteria.size,
  termFacetSizeOverride: beside.facetSize ?? 0,
});

/** What is kept of criteria under a name; the fixed filter becomes what it stands for. */
export const savedFieldsOf = (criteria: Criteria, name: string, beside: Beside): SavedFilterFields => {
  const { termFacetSizeOverride: _, ...parameters } = parametersOf(criteria, { ...beside, always: {} });
  return { ...parameters, name };
};

/** Facets that a list sets by itself and no saved filter may change. */
const LISTS_OWN: readonly Facet[] = ['managementStatus'];

/** The criteria of a saved filter; facets that this version does not know are left out. */
export const criteriaOfSaved = (saved: SavedFilter): Criteria => {
  const { query, dateOfBirth, preferenceMap, openPatientsOnly } = saved.userDefinedFacetPreferences;
  const filters = Object.entries(preferenceMap).filter(
    ([facet, values]) => facet in FACETS && !LISTS_OWN.includes(facet as Facet) && values.length > 0,
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
