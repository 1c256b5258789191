import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { FixedFilter, SearchModule } from '#contract/saved-filter-words.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import type { SearchContext, SearchParametersInput } from '#contract/search.ts';
import { type Criteria, cleared, countOf, type Filters, isSame } from './criteria.ts';
import { criteriaOf, type FilterSearch, present, saysFilters, searchOf, type Typed, typedOf } from './filter-search.ts';
import { savedFiltersQuery, searchPreferencesQuery } from './saved-filter-queries.ts';
import { criteriaOfSaved, parametersOf } from './search-parameters.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What was typed about a person: it is in no address. */
    typed?: Typed;
  }
}

/** What makes one list different from another. */
export interface ListKind {
  /** Under which its default filter is kept; null where it has none. */
  module: SearchModule | null;
  context: SearchContext;
  /** What it opens on where neither the address nor a preference says anything. */
  usual: Criteria;
  /** What that is called, where it stands in place of the fixed filters. */
  usualName?: string;
  /** Filters that hold whatever is chosen. */
  always?: Filters;
}

const SEGMENT = /\/active-filter-id\/[^/]*\/?$/;
/** Of another state of the list, and no longer true. */
const IS_CRITERIA = /^(f\..*|view|edited|open|hide|sort|order|size|p|sel)$/;
const NOTHING: Typed = {};

const beside = (search: FilterSearch): FilterSearch =>
  Object.fromEntries(Object.entries(search).filter(([key]) => !IS_CRITERIA.test(key)));

/** Which saved filter holds: the one of the address, or else the default of the module (specification, section 4). */
const useSavedFilter = (kind: ListKind, said: boolean) => {
  const { filterId } = useParams({ strict: false }) as { filterId?: string };
  const asks = kind.module !== null && filterId === undefined && !said;
  const preferences = useQuery({ ...searchPreferencesQuery, enabled: asks, retry: false });
  const preferred = asks ? preferences.data?.find(({ moduleName }) => moduleName === kind.module)?.filterId : undefined;
  const id = filterId ?? preferred ?? null;
  const list = useQuery({ ...savedFiltersQuery, enabled: id !== null });
  const saved = list.data?.find((one) => one.id === id) ?? null;
  return {
    id: filterId ?? null,
    saved: filterId === undefined ? null : saved,
    /** To be put into the address. */
    preferred: filterId === undefined && saved ? saved.id : null,
    /** Named in the address, and not there. */
    missing: filterId !== undefined && list.isSuccess && saved === null,
    /** Not known yet. */
    pending:
      (asks && preferences.isPending) || (id !== null && list.isPending) || (filterId === undefined && saved !== null),
  };
};

/** The criteria of a list as its address and the history's state have them, and the ways to change them. */
export const useFilters = (kind: ListKind) => {
  const search = useSearch({ strict: false }) as FilterSearch;
  const typed = useLocation({ select: ({ state }) => state.typed }) ?? NOTHING;
  const base = useLocation({ select: ({ pathname }) => pathname.replace(SEGMENT, '') });
  const navigate = useNavigate();
  const said = saysFilters(search, typed);
  const { id, saved, preferred, missing, pending } = useSavedFilter(kind, said);
  const { usual } = kind;
  const original = useMemo(() => (saved ? criteriaOfSaved(saved) : usual), [saved, usual]);
  const criteria = useMemo((): Criteria => {
    if (saved && !search.edited) return original;
    if (said || search.edited) return criteriaOf(search, typed, original);
    const { sort, order, size } = criteriaOf(search, typed, usual);
    return { ...usual, sort, order, size };
  }, [search, typed, said, saved, original, usual]);

  const go = (to: { criteria: Criteria | null; id: string | null; edited?: true }, replace = false): void => {
    const said = to.criteria ? searchOf(to.criteria, saved && to.edited ? original : usual) : {};
    void navigate({
      to: to.id ? `${base}/active-filter-id/${to.id}` : base,
      search: present({ ...beside(search), ...said, edited: to.edited }),
      state: { typed: to.criteria ? typedOf(to.criteria) : NOTHING },
      replace,
    });
  };
  useEffect(() => {
    if (preferred) go({ criteria: null, id: preferred }, true);
    // Once for each that is found.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [preferred]);

  const visibleTo = search.group ? [search.group] : undefined;
  return {
    /** False until it is known which filter the list opens on: nothing is searched before. */
    ready: !pending,
    kind,
    /** Where the list is, without a saved filter. */
    base,
    criteria,
    search,
    page: search.p ?? 1,
    saved,
    missing,
    modified: saved !== null && !isSame(criteria, original),
    count: countOf(criteria),
    visibleTo,
    /** Other criteria, from the first page on. What was typed replaces the entry of the history. */
    change: (next: Criteria, replace = false): void => {
      if (id && saved) {
        const same = isSame(next, original);
        go(
          { criteria: same ? null : { ...next, view: null }, id, ...(same ? {} : { edited: true as const }) },
          replace,
        );
      } else go({ criteria: { ...next, view: next.view ?? 'ALL_PATIENTS' }, id: null }, replace);
    },
    /** What stands beside the criteria: the page, the panel, the group. */
    patch: (part: Partial<FilterSearch> & Record<string, unknown>, replace = false): void => {
      void navigate({ to: '.', search: present({ ...search, ...part }), state: true, replace });
    },
    /** A saved filter instead of what holds, the fixed filter too; the groups that are looked at stay. */
    select: (one: Pick<SavedFilter, 'id'>): void => go({ criteria: null, id: one.id }),
    /** A fixed filter instead of a saved one. */
    fix: (view: FixedFilter): void => go({ criteria: { ...cleared(usual, usual.sort), filters: {}, view }, id: null }),
    /** What the list opens on by itself. */
    openUsual: (): void => go({ criteria: null, id: null }),
    /** A saved filter as it was saved. */
    reset: (): void => go({ criteria: null, id }),
    /** No filter at all. */
    clear: (): void => go({ criteria: cleared(criteria, usual.sort), id: null }),
    parameters: (facetSize: number): SearchParametersInput =>
      parametersOf(criteria, {
        context: kind.context,
        always: kind.always ?? {},
        visibleTo,
        page: search.p ?? 1,
        facetSize,
      }),
  };
};
export type ListFilters = ReturnType<typeof useFilters>;

/** Whether less than everything is asked for. */
export const isSubset = ({ count, search }: ListFilters): boolean => count > 0 || search.group !== undefined;
