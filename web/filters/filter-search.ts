import { DATE_FIELDS, FACET_NAMES, type Facet } from '#contract/facets.ts';
import { isValidFilter } from '#contract/ranges.ts';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import type { FilterValue } from '#contract/search.ts';
import { defaultSortOrder, SORT_KEYS, type SortKey } from '#contract/sorts.ts';
import { definedEntries, idIn, oneOf, wholeIn } from '../router/search-values.ts';
import type { Criteria, Filters } from './criteria.ts';

/**
 * The state of a list in the query of its URL: codes and opaque ids, never a name or a birth date. A facet is 'f.' and its name; its
 * values are separated by commas, with '!' before an excluded one. Without any criteria, a list opens with its default filter.
 */
export interface FilterSearch extends Partial<Record<`f.${Facet}`, string>> {
  view?: FixedFilter;
  /** The saved filter in the path has unsaved changes: these criteria replace it. */
  edited?: true;
  /** Only patients with a current stay. */
  open?: true;
  /** Ids of hidden patients, separated by commas. */
  hide?: string;
  /** The one group that the list is limited to. */
  group?: string;
  sort?: SortKey;
  order?: 'ASC' | 'DESC';
  p?: number;
  size?: number;
  /** Whether the filter panel is open; absent where it is as the list has it by default. */
  showFilters?: boolean;
}
/** What was typed about a person. It never leaves the browser except in a search (`session/typed-memory.ts`). */
export interface Typed {
  text?: string;
  dateOfBirth?: string | null;
}

const PATIENT_IDS = /^\d{1,19}_\d{1,19}(,\d{1,19}_\d{1,19})*$/;
const FIXED = Object.keys(FIXED_FILTERS) as FixedFilter[];

const keyOf = (facet: Facet): `f.${Facet}` => `f.${facet}`;

/** Returns the state that the query of a URL holds; invalid parts are dropped. */
export const filterSearch = (raw: Record<string, unknown>): FilterSearch => {
  const search: FilterSearch = {
    view: oneOf(raw['view'], FIXED),
    edited: raw['edited'] === true ? true : undefined,
    open: raw['open'] === true ? true : undefined,
    hide: typeof raw['hide'] === 'string' && PATIENT_IDS.test(raw['hide']) ? raw['hide'] : undefined,
    group: idIn(raw['group']),
    sort: oneOf(raw['sort'], SORT_KEYS),
    order: oneOf(raw['order'], ['ASC', 'DESC'] as const),
    p: wholeIn(raw['p'], 2, 100_000),
    size: wholeIn(raw['size'], 1, 100),
    showFilters: typeof raw['showFilters'] === 'boolean' ? raw['showFilters'] : undefined,
  };
  for (const facet of FACET_NAMES) {
    const query = raw[keyOf(facet)];
    const values = typeof query === 'string' || typeof query === 'number' ? readValues(facet, String(query)) : [];
    if (values.length > 0) search[keyOf(facet)] = writeValues(facet, values);
  }
  return definedEntries(search);
};

const escaped = (value: string): string => value.replace(/[\\,!]/g, '\\$&');
const isDate = (facet: Facet): boolean => facet === 'eventDate';

const writeValues = (facet: Facet, values: readonly FilterValue[]): string =>
  values
    .map(({ field, value, negated }) => `${negated ? '!' : ''}${isDate(facet) ? `${field}:` : ''}${escaped(value)}`)
    .join(',');

const readValues = (facet: Facet, written: string): FilterValue[] =>
  (written.match(/(?:\\[^]?|[^,\\])+/g) ?? []).flatMap((part) => {
    const negated = part.startsWith('!');
    const text = part.slice(Number(negated)).replace(/\\(.)/g, '$1');
    const at = text.indexOf(':');
    const dated = isDate(facet) && at > 0;
    const field = dated ? text.slice(0, at) : facet;
    if (dated && !(field in DATE_FIELDS)) return [];
    const value = { field, value: dated ? text.slice(at + 1) : text, negated };
    return isValidFilter(facet, value) ? [value] : [];
  });

const FACET_KEYS = FACET_NAMES.map((facet) => [facet, keyOf(facet)] as const);

/** Returns whether URL and typed text have criteria of their own; if not, the default filter applies. */
export const hasCriteria = (search: FilterSearch, typed: Typed): boolean =>
  search.view !== undefined ||
  search.open !== undefined ||
  search.hide !== undefined ||
  Boolean(typed.text || typed.dateOfBirth) ||
  FACET_KEYS.some(([, key]) => search[key] !== undefined);

/** Returns the criteria of a URL and the typed text; order and page size come from `defaults` where they are absent. */
export const criteriaOf = (search: FilterSearch, typed: Typed, defaults: Criteria): Criteria => {
  const filters: Filters = {};
  for (const [facet, key] of FACET_KEYS) if (search[key]) filters[facet] = readValues(facet, search[key]);
  const text = typed.text ?? '';
  const sort = search.sort ?? (text ? 'RELEVANCE' : defaults.sort);
  const order = search.order ?? (sort === defaults.sort ? defaults.order : defaultSortOrder(sort));
  return {
    view: search.view ?? (search.edited ? null : 'ALL_PATIENTS'),
    filters,
    openPatientsOnly: search.open ?? false,
    text,
    dateOfBirth: typed.dateOfBirth ?? null,
    ignored: search.hide?.split(',') ?? [],
    sort,
    order,
    size: search.size ?? defaults.size,
  };
};

/** Returns the criteria of a list without a saved filter: those of the URL and the typed text, or else the list's own. */
export const criteriaAt = (search: FilterSearch, typed: Typed, defaults: Criteria): Criteria => {
  const found = criteriaOf(search, typed, defaults);
  if (hasCriteria(search, typed) || search.edited) return found;
  const { sort, order, size } = found;
  return { ...defaults, sort, order, size };
};

/** Returns the part of the criteria that goes into the URL. Order and page size stay out where they are the defaults. */
export const searchOf = (criteria: Criteria, defaults: Criteria): FilterSearch => {
  const { view, filters, openPatientsOnly, ignored, sort, order, size, text } = criteria;
  const defaultSort = text ? 'RELEVANCE' : defaults.sort;
  const search: FilterSearch = {
    view: view ?? undefined,
    open: openPatientsOnly || undefined,
    hide: ignored.join() || undefined,
    sort: sort === defaultSort ? undefined : sort,
    order: order === (sort === defaults.sort ? defaults.order : defaultSortOrder(sort)) ? undefined : order,
    size: size === defaults.size ? undefined : size,
  };
  for (const [facet, key] of FACET_KEYS) {
    const values = filters[facet];
    if (values?.length) search[key] = writeValues(facet, values);
  }
  return definedEntries(search);
};

/** Returns the part of the criteria that was typed. */
export const typedOf = ({ text, dateOfBirth }: Criteria): Typed => ({
  ...(text ? { text } : {}),
  ...(dateOfBirth ? { dateOfBirth } : {}),
});
