/** Ranges as filter values write them. Without schemas: the browser loads it. */
import { DATE_FIELDS, FACETS, type Facet } from './facets.ts';

/** The ends of a range as it is written: begin and end, either of which may be missing. Null where neither is there or one is no such value. */
export function readRange(facet: Facet, { field, value }: { field: string; value: string }): RangeEnds | null {
  const { kind } = FACETS[facet];
  const isDates = kind === 'date' && field === 'eventDate';
  const end = isDates ? String.raw`\d{4}-\d\d-\d\d` : String.raw`-?\d{1,5}`;
  const [, begin = '', upTo = ''] = new RegExp(`^(${end})?:(${end})?$`).exec(value) ?? [];
  if (kind === 'date' && !Object.hasOwn(DATE_FIELDS, field)) return null;
  return begin === '' && upTo === '' ? null : { begin: begin || null, end: upTo || null };
}
export interface RangeEnds {
  begin: string | null;
  end: string | null;
}

/** A range needs one end at least; any other value must not be empty, nor 'null' (section 5). */
export function isValidFilter(facet: Facet, filter: { field: string; value: string }): boolean {
  const { kind } = FACETS[facet];
  if (kind === 'range' || kind === 'date') return readRange(facet, filter) !== null;
  return filter.value !== '' && filter.value !== 'null';
}
