/** Ranges in filter values. Free of schemas, because the browser loads it with every list. */
import { DATE_FIELDS, FACETS, type Facet } from './facets.ts';

const DATES = /^(\d{4}-\d\d-\d\d)?:(\d{4}-\d\d-\d\d)?$/;
const NUMBERS = /^(-?\d{1,5})?:(-?\d{1,5})?$/;

/** Parses 'begin:end', where either end may be missing. Returns null if both are missing or one is not a valid end. */
export function readRange(facet: Facet, { field, value }: { field: string; value: string }): RangeEnds | null {
  const { kind } = FACETS[facet];
  const isDates = kind === 'date' && field === 'eventDate';
  const [, begin = '', upTo = ''] = (isDates ? DATES : NUMBERS).exec(value) ?? [];
  if (kind === 'date' && !Object.hasOwn(DATE_FIELDS, field)) return null;
  return begin === '' && upTo === '' ? null : { begin: begin || null, end: upTo || null };
}
export interface RangeEnds {
  begin: string | null;
  end: string | null;
}

/** Returns whether the value can be filtered by: a range needs at least one end; other values must be neither empty nor 'null'. */
export function isValidFilter(facet: Facet, filter: { field: string; value: string }): boolean {
  const { kind } = FACETS[facet];
  if (kind === 'range' || kind === 'date') return readRange(facet, filter) !== null;
  return filter.value !== '' && filter.value !== 'null';
}
