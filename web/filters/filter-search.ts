import { DATE_FIELDS, FACET_NAMES, type Facet } from '#contract/facets.ts';
import { isValidFilter } from '#contract/ranges.ts';
import { FIXED_FILTERS, type FixedFilter } from '#contract/saved-filter-words.ts';
import type { FilterValue } from '#contract/search.ts';
import { defaultSortOrder, SORT_KEYS, type SortKey } from '#contract/sorts.ts';
import type { Criteria, Filters } from './criteria.ts';

/**
 * What of a list stands in its address: codes and opaque ids, never a name or a birth date. A facet is 'f.' and its name, its
 * values stand between commas, '!' before one that is left out. Without any of it, a list opens on its default filter.
 */
export interface FilterSearch extends Partial<Record<`f.${Facet}`, string>> {
  view?: FixedFilter;
  /** The saved filter of the path was changed: this search holds instead of it. */
  edited?: true;
  /** Only patients who are there now. */
  open?: true;
  /** Ids of patients who are left out, between commas. */
  hide?: string;
  /** The one group that is looked at. */
  group?: string;
  sort?: SortKey;
  order?: 'ASC' | 'DESC';
  p?: number;
  size?: number;
  /** Whether the panel stands open, where that is not what the list does by itself. */
  showFilters?: boolean;
}
/** What was typed about a person: kept in the history's state, which the browser keeps to itself. */
export interface Typed {
  text?: string;
  dateOfBirth?: string | null;
}

const oneOf = <T extends string>(codes: readonly T[], value: unknown): T | undefined =>
  codes.find((code) => code === value);
const whole = (value: unknown, least: number, most: number): number | undefined => {
  const number = Number(value);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
};
const idOf = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && /^[1-9]\d{0,18}$/.test(String(value))
    ? String(value)
    : undefined;
const PATIENT_IDS = /^\d{1,19}_\d{1,19}(,\d{1,19}_\d{1,19})*$/;
const FIXED = Object.keys(FIXED_FILTERS) as FixedFilter[];

/** Keeps the entries that have a value. */
export const present = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;

const keyOf = (facet: Facet): `f.${Facet}` => `f.${facet}`;

/** Reads an address that anybody may have typed; what cannot be is left out. */
export const filterSearch = (raw: Record<string, unknown>): FilterSearch => {
  const search: FilterSearch = {
    view: oneOf(FIXED, raw['view']),
    edited: raw['edited'] === true ? true : undefined,
    open: raw['open'] === true ? true : undefined,
    hide: typeof raw['hide'] === 'string' && PATIENT_IDS.test(raw['hide']) ? raw['hide'] : undefined,
    group: idOf(raw['group']),
    sort: oneOf(SORT_KEYS, raw['sort']),
    order: oneOf(['ASC', 'DESC'], raw['order']),
    p: whole(raw['p'], 2, 100_000),
    size: whole(raw['size'], 1, 100),
    showFilters: typeof raw['showFilters'] === 'boolean' ? raw['showFilters'] : undefined,
  };
  for (const facet of FACET_NAMES) {
    const written = raw[keyOf(facet)];
    const values = typeof written === 'string' || typeof written === 'number' ? readValues(facet, String(written)) : [];
    if (values.length > 0) search[keyOf(facet)] = writeValues(facet, values);
  }
  return present(search);
};

const escaped = (value: string): string => value.replace(/[\\,!]/g, '\\$&');
const isDate = (facet: Facet): boolean => facet === 'eventDate';

const writeValues = (facet: Facet, values: readonly FilterValue[]): string =>
  values
    .map(({ field, value, negated }) => `${negated ? '!' : ''}${isDate(facet) ? `${field}:` : ''}${escaped(value)}`)
    .join(',');

const readValues = (facet: Facet, written: string): FilterValue[] =>
  (written.match(/(?:\\.|[^,\\])+/g) ?? []).flatMap((part) => {
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

/** Whether an address, with what was typed, says by itself what is searched for; otherwise the default filter does. */
export const saysFilters = (search: FilterSearch, typed: Typed): boolean =>
  search.view !== undefined ||
  search.open !== undefined ||
  search.hide !== undefined ||
  Boolean(typed.text || typed.dateOfBirth) ||
  FACET_KEYS.some(([, key]) => search[key] !== undefined);

/** The criteria that an address and the history's state say; what they leave out is as in `usual`. */
export const criteriaOf = (search: FilterSearch, typed: Typed, usual: Criteria): Criteria => {
  const filters: Filters = {};
  for (const [facet, key] of FACET_KEYS) if (search[key]) filters[facet] = readValues(facet, search[key]);
  const text = typed.text ?? '';
  const sort = search.sort ?? (text ? 'RELEVANCE' : usual.sort);
  const order = search.order ?? (sort === usual.sort ? usual.order : defaultSortOrder(sort));
  return {
    view: search.view ?? (search.edited ? null : 'ALL_PATIENTS'),
    filters,
    openPatientsOnly: search.open ?? false,
    text,
    dateOfBirth: typed.dateOfBirth ?? null,
    ignored: search.hide?.split(',') ?? [],
    sort,
    order,
    size: search.size ?? usual.size,
  };
};

/** The reverse: what of criteria goes into the address; defaults of order and size stay out. */
export const searchOf = (criteria: Criteria, usual: Criteria): FilterSearch => {
  const { view, filters, openPatientsOnly, ignored, sort, order, size, text } = criteria;
  const usualSort = text ? 'RELEVANCE' : usual.sort;
  const search: FilterSearch = {
    view: view ?? undefined,
    open: openPatientsOnly || undefined,
    hide: ignored.join() || undefined,
    sort: sort === usualSort ? undefined : sort,
    order: order === (sort === usual.sort ? usual.order : defaultSortOrder(sort)) ? undefined : order,
    size: size === usual.size ? undefined : size,
  };
  for (const [facet, key] of FACET_KEYS) {
    const values = filters[facet];
    if (values?.length) search[key] = writeValues(facet, values);
  }
  return present(search);
};

/** The history's state for criteria. */
export const typedOf = ({ text, dateOfBirth }: Criteria): Typed => ({
  ...(text ? { text } : {}),
  ...(dateOfBirth ? { dateOfBirth } : {}),
});
