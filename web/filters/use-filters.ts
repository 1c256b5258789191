import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { FixedFilter, SearchModule } from '#contract/saved-filter-words.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import type { SearchContext, SearchParametersInput } from '#contract/search.ts';
import { useLocation, useNavigate, useParams, useSearch } from '../router/hooks.ts';
import { definedEntries } from '../router/search-values.ts';
import { keepTyped, typedWith } from '../session/typed-memory.ts';
import { type Criteria, cleared, type Filters, filterCount, sameSearch } from './criteria.ts';
import {
  criteriaAt,
  criteriaOf,
  type FilterSearch,
  hasCriteria,
  searchOf,
  type Typed,
  typedOf,
} from './filter-search.ts';
import { savedFiltersQuery, searchPreferencesQuery } from './saved-filter-queries.ts';
import { criteriaOfSaved, parametersOf } from './search-parameters.ts';

declare module '../router/history.ts' {
  interface HistoryState {
    /** The id of what was typed about a person (`session/typed-memory.ts`), which is neither in the URL nor in the history. */
    typed?: string;
  }
}

/** What distinguishes one list from another. */
export interface ListKind {
  /** The module whose default filter it opens with; null where it has none. */
  module: SearchModule | null;
  context: SearchContext;
  /** What it opens with if neither the URL nor a default filter says anything. */
  defaults: Criteria;
  /** The name of `defaults` in the menu, for a list that offers them instead of the fixed filters. */
  defaultName?: string;
  /** Filters that apply whatever is chosen. */
  always?: Filters;
}

const FILTER_SEGMENT = /\/active-filter-id\/[^/]*\/?$/;
/** Parts of the query that other criteria replace. */
const IS_CRITERIA = /^(f\..*|view|edited|open|hide|sort|order|size|p|sel)$/;
const NOTHING: Typed = {};

/** Returns the parts of the query that other criteria keep: the group, the panel and what a page adds. */
const besideCriteria = (search: FilterSearch): FilterSearch =>
  Object.fromEntries(Object.entries(search).filter(([key]) => !IS_CRITERIA.test(key)));

/** The saved filter in use: the one in the URL, or else the default of the module if the URL has no criteria. */
const useSavedFilter = (kind: ListKind, urlHasCriteria: boolean) => {
  const { filterId } = useParams() as { filterId?: string };
  const wantsDefault = kind.module !== null && filterId === undefined && !urlHasCriteria;
  const preferences = useQuery({ ...searchPreferencesQuery, enabled: wantsDefault, retry: false });
  const preferred = wantsDefault
    ? preferences.data?.find(({ moduleName }) => moduleName === kind.module)?.filterId
    : undefined;
  const id = filterId ?? preferred ?? null;
  const list = useQuery({ ...savedFiltersQuery, enabled: id !== null });
  const saved = list.data?.find((one) => one.id === id) ?? null;
  return {
    id: filterId ?? null,
    saved: filterId === undefined ? null : saved,
    /** The default filter to put into the URL. */
    preferred: filterId === undefined && saved ? saved.id : null,
    /** Whether the URL names a filter that does not exist. */
    missing: filterId !== undefined && list.isSuccess && saved === null,
    /** Whether the filter in use is still unknown. */
    pending:
      (wantsDefault && preferences.isPending) ||
      (id !== null && list.isPending) ||
      (filterId === undefined && saved !== null),
  };
};

const visibleToOf = ({ group }: FilterSearch): string[] | undefined => (group ? [group] : undefined);

/** Returns what a list asks for with these criteria. `facetSize`: how many values of each facet to count. */
export const parametersIn = (
  { context, always = {} }: ListKind,
  search: FilterSearch,
  criteria: Criteria,
  facetSize = 0,
): SearchParametersInput =>
  parametersOf(criteria, { context, always, visibleTo: visibleToOf(search), page: search.p ?? 1, facetSize });

interface Destination {
  criteria: Criteria | null;
  /** Of the saved filter. */
  id: string | null;
  edited?: true;
  /** What else the query gets. */
  beside?: object;
}

/** The criteria of a list, kept in its URL and, where typed, in memory, and the ways to change them. */
export const useFilters = (kind: ListKind) => {
  const search = useSearch() as FilterSearch;
  const typedId = useLocation({ select: ({ state }) => state.typed });
  const typed = useMemo(() => (typedWith(typedId) as Typed | undefined) ?? NOTHING, [typedId]);
  const base = useLocation({ select: ({ pathname }) => pathname.replace(FILTER_SEGMENT, '') });
  const navigate = useNavigate();
  const urlHasCriteria = hasCriteria(search, typed);
  const { id, saved, preferred, missing, pending } = useSavedFilter(kind, urlHasCriteria);
  const { defaults } = kind;
  const original = useMemo(() => (saved ? criteriaOfSaved(saved) : defaults), [saved, defaults]);
  const criteria = useMemo((): Criteria => {
    if (!saved) return criteriaAt(search, typed, defaults);
    return search.edited ? criteriaOf(search, typed, original) : original;
  }, [search, typed, saved, original, defaults]);

  const goTo = (to: Destination, replace = false): void => {
    const wanted = to.criteria ? typedOf(to.criteria) : NOTHING;
    const query = to.criteria ? searchOf(to.criteria, saved && to.edited ? original : defaults) : {};
    void navigate({
      to: to.id ? `${base}/active-filter-id/${to.id}` : base,
      search: definedEntries({ ...besideCriteria(search), ...query, ...to.beside, edited: to.edited }),
      state: Object.keys(wanted).length > 0 ? { typed: keepTyped(wanted) } : {},
      replace,
    });
  };
  useEffect(() => {
    // A row that the address names stays open.
    if (preferred) goTo({ criteria: null, id: preferred, beside: 'sel' in search ? { sel: search.sel } : {} }, true);
    // Once for each default filter that is found.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [preferred]);

  return {
    /** False until it is known which filter the list opens with; nothing is searched before. */
    ready: !pending,
    kind,
    /** The path of the list without a saved filter. */
    base,
    criteria,
    search,
    page: search.p ?? 1,
    saved,
    missing,
    /** Whether the URL and what was typed say what is searched, whatever filter the URL names. */
    hasOwnCriteria: urlHasCriteria,
    modified: saved !== null && !sameSearch(criteria, original),
    count: filterCount(criteria),
    visibleTo: visibleToOf(search),
    /** Applies other criteria, from the first page on. `replace` the entry of the history while the user types. */
    change: (next: Criteria, replace = false): void => {
      if (!id || !saved) goTo({ criteria: { ...next, view: next.view ?? 'ALL_PATIENTS' }, id: null }, replace);
      else if (sameSearch(next, original)) goTo({ criteria: null, id }, replace);
      else goTo({ criteria: { ...next, view: null }, id, edited: true }, replace);
    },
    /** Changes what the query holds besides the criteria: the page, the panel, the group. */
    patch: (part: Partial<FilterSearch> & Record<string, unknown>, replace = false): void => {
      void navigate({ to: '.', search: definedEntries({ ...search, ...part }), state: true, replace });
    },
    /** Applies a saved filter instead of the current one. The group stays. */
    select: (filter: Pick<SavedFilter, 'id'>): void => goTo({ criteria: null, id: filter.id }),
    /** Applies a fixed filter instead of the current one. */
    selectFixed: (view: FixedFilter): void =>
      goTo({ criteria: { ...cleared(defaults, defaults.sort), filters: {}, view }, id: null }),
    /** Opens the list with its own defaults, also where the user has another default view. */
    openDefault: (): void => goTo({ criteria: kind.module === null ? null : defaults, id: null }),
    /** Drops the unsaved changes of a saved filter. */
    reset: (): void => goTo({ criteria: null, id }),
    /** Removes every filter. */
    clear: (): void => goTo({ criteria: cleared(criteria, defaults.sort), id: null }),
    parameters: (facetSize: number): SearchParametersInput => parametersIn(kind, search, criteria, facetSize),
  };
};
export type ListFilters = ReturnType<typeof useFilters>;

/** Returns whether filters or a group restrict the list. */
export const isSubset = ({ count, search }: ListFilters): boolean => count > 0 || search.group !== undefined;
