import type { Facet } from '#contract/facets.ts';
import { isValidFilter } from '#contract/ranges.ts';
import type { FixedFilter } from '#contract/saved-filter-words.ts';
import type { FilterValue } from '#contract/search.ts';
import { DEFAULT_SORT, defaultSortOrder, type SortKey } from '#contract/sorts.ts';

/** The values that a facet is filtered by. */
export type Filters = Partial<Record<Facet, FilterValue[]>>;

/** What a list is searched by: what a saved filter holds, and what the panel changes. Its page is none of it. */
export interface Criteria {
  /** The fixed filter that holds; null beside a saved one. */
  view: FixedFilter | null;
  filters: Filters;
  openPatientsOnly: boolean;
  /** Beginnings of names or identifiers; as `dateOfBirth` never in an address. */
  text: string;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
  /** Ids of patients who are left out (`ignoredPatientIds`). */
  ignored: readonly string[];
  sort: SortKey;
  order: 'ASC' | 'DESC';
  size: number;
}

/** Nothing is filtered; the order is the specification's. */
export const everything = (size: number, sort: SortKey = DEFAULT_SORT): Criteria => ({
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

/** Another order: it begins as the specification says for its key. */
export const withSort = (criteria: Criteria, sort: SortKey): Criteria => ({
  ...criteria,
  sort,
  order: defaultSortOrder(sort),
});

/** Another text: the order goes to relevance and its default, and back to the list's own when the text is gone. */
export const withText = (criteria: Criteria, text: string, usual: SortKey = DEFAULT_SORT): Criteria => {
  const next = { ...criteria, text };
  if (text !== '') return withSort(next, 'RELEVANCE');
  return criteria.sort === 'RELEVANCE' ? withSort(next, usual) : next;
};

const withValues = (criteria: Criteria, facet: Facet, values: FilterValue[]): Criteria => {
  const { [facet]: _, ...others } = criteria.filters;
  return { ...criteria, filters: values.length > 0 ? { ...others, [facet]: values } : others };
};

/** Whether what is chosen of a facet is left out rather than asked for: said of all its values at once. */
export const isNegated = (filters: Filters, facet: Facet): boolean =>
  filters[facet]?.some((one) => one.negated) ?? false;

/** Takes a value of a facet in, or out where it is in. What is not valid changes nothing. */
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

/** "Is" or "is not", of all that is chosen of a facet. */
export const withNegation = (criteria: Criteria, facet: Facet, negated: boolean): Criteria =>
  withValues(
    criteria,
    facet,
    (criteria.filters[facet] ?? []).map((one) => ({ ...one, negated })),
  );

/** A range, of which there is one at a time; without a valid one, none. */
export const withRange = (criteria: Criteria, facet: Facet, value: string, field: string = facet): Criteria => {
  const range = { field, value, negated: isNegated(criteria.filters, facet) };
  return withValues(criteria, facet, isValidFilter(facet, range) ? [range] : []);
};

/** Nothing of a facet. */
export const without = (criteria: Criteria, facet: Facet): Criteria => withValues(criteria, facet, []);

/** Everything again, in the same order and pages. */
export const cleared = ({ sort, order, size }: Criteria, usual: SortKey = DEFAULT_SORT): Criteria => ({
  ...everything(size),
  ...(sort === 'RELEVANCE' ? { sort: usual, order: defaultSortOrder(usual) } : { sort, order }),
});

/** How many filters hold: what "No patients match 4 filters" counts. */
export const countOf = ({ view, filters, openPatientsOnly, text, dateOfBirth, ignored }: Criteria): number =>
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

/** Whether two searches ask for the same, in whichever order their values were chosen. A fixed filter is not compared. */
export const isSame = (a: Criteria, b: Criteria): boolean => {
  const plain = ({ view: _, filters, ...rest }: Criteria): unknown => [
    sorted(filters),
    Object.entries(rest).sort(([x], [y]) => (x < y ? -1 : 1)),
  ];
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
};
