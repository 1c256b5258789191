import type { Facet } from '#contract/facets.ts';
import { isValidFilter } from '#contract/ranges.ts';
import type { FixedFilter } from '#contract/saved-filter-words.ts';
import type { FilterValue } from '#contract/search.ts';
import { DEFAULT_SORT, defaultSortOrder, type SortKey } from '#contract/sorts.ts';

/** The values that a facet is filtered by. */
export type Filters = Partial<Record<Facet, FilterValue[]>>;

/** What a list is searched by: what the panel changes and a saved filter stores. The page of the list is not part of it. */
export interface Criteria {
  /** The fixed filter in use; null while a saved filter is used. */
  view: FixedFilter | null;
  filters: Filters;
  openPatientsOnly: boolean;
  /** Beginnings of names or identifiers. Like `dateOfBirth`, never in a URL. */
  text: string;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
  /** Ids of patients to hide (`ignoredPatientIds`). */
  ignored: readonly string[];
  sort: SortKey;
  order: 'ASC' | 'DESC';
  size: number;
}

/** Returns criteria that filter nothing, in the default order of the sort key. */
export const noFilters = (size: number, sort: SortKey = DEFAULT_SORT): Criteria => ({
  view: 'ALL_PATIENTS',
  filters: {},
  openPatientsOnly: false,
  text: '',
  dateOfBirth: null,
  ignored: [],
  sort,
  order: defaultSortOrder(sort),
  size,
});

/** Returns the criteria with another sort key, in its default order. */
export const withSort = (criteria: Criteria, sort: SortKey): Criteria => ({
  ...criteria,
  sort,
  order: defaultSortOrder(sort),
});

/** Returns the criteria with another text. A text sorts by relevance; without one the list goes back to `defaultSort`. */
export const withText = (criteria: Criteria, text: string, defaultSort: SortKey = DEFAULT_SORT): Criteria => {
  const next = { ...criteria, text };
  if (text !== '') return withSort(next, 'RELEVANCE');
  return criteria.sort === 'RELEVANCE' ? withSort(next, defaultSort) : next;
};

const withValues = (criteria: Criteria, facet: Facet, values: FilterValue[]): Criteria => {
  const { [facet]: _, ...others } = criteria.filters;
  return { ...criteria, filters: values.length > 0 ? { ...others, [facet]: values } : others };
};

/** Returns whether the chosen values of a facet are excluded. All of them are, or none. */
export const isNegated = (filters: Filters, facet: Facet): boolean =>
  filters[facet]?.some((one) => one.negated) ?? false;

/** Returns the criteria with a value added, or removed if it was chosen. An invalid value changes nothing. */
export const withToggled = (criteria: Criteria, facet: Facet, value: string, negated = false): Criteria => {
  const chosen = criteria.filters[facet] ?? [];
  if (chosen.some((one) => one.value === value))
    return withValues(
      criteria,
      facet,
      chosen.filter((one) => one.value !== value),
    );
  const added = { field: facet, value, negated: chosen.length > 0 ? isNegated(criteria.filters, facet) : negated };
  return isValidFilter(facet, added) ? withValues(criteria, facet, [...chosen, added]) : criteria;
};

/** Returns the criteria with all chosen values of a facet included or excluded. */
export const withNegation = (criteria: Criteria, facet: Facet, negated: boolean): Criteria =>
  withValues(
    criteria,
    facet,
    (criteria.filters[facet] ?? []).map((one) => ({ ...one, negated })),
  );

/** Returns the criteria with a range instead of the current one; an invalid range removes it. */
export const withRange = (criteria: Criteria, facet: Facet, value: string, field: string = facet): Criteria => {
  const range = { field, value, negated: isNegated(criteria.filters, facet) };
  return withValues(criteria, facet, isValidFilter(facet, range) ? [range] : []);
};

/** Returns the criteria without a facet. */
export const without = (criteria: Criteria, facet: Facet): Criteria => withValues(criteria, facet, []);

/** Returns the criteria without any filter, with the same order and page size. */
export const cleared = ({ sort, order, size }: Criteria, defaultSort: SortKey = DEFAULT_SORT): Criteria => ({
  ...noFilters(size),
  ...(sort === 'RELEVANCE' ? { sort: defaultSort, order: defaultSortOrder(defaultSort) } : { sort, order }),
});

/** Returns how many filters are in use, as "No patients match 4 filters" counts them. */
export const filterCount = ({ view, filters, openPatientsOnly, text, dateOfBirth, ignored }: Criteria): number =>
  Object.keys(filters).length +
  Number(view !== null && view !== 'ALL_PATIENTS') +
  Number(openPatientsOnly) +
  Number(text !== '') +
  Number(dateOfBirth !== null) +
  Number(ignored.length > 0);

const sorted = (filters: Filters): string[] =>
  Object.entries(filters)
    .map(
      ([facet, values]) =>
        `${facet} ${values
          .map((one) => `${one.negated} ${one.field} ${one.value}`)
          .sort()
          .join()}`,
    )
    .sort();

/** Returns whether two searches ask for the same, regardless of the order of values. Fixed filters are not compared. */
export const sameSearch = (a: Criteria, b: Criteria): boolean => {
  const plain = ({ view: _, filters, ...rest }: Criteria): unknown => [
    sorted(filters),
    Object.entries(rest).sort(([x], [y]) => (x < y ? -1 : 1)),
  ];
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
};
