import type { Filter, Query, Sort } from '#server/work/search/columns/table.ts';
import { FACETS, MULTIS, NUMBERS, SINGLES, valueOf } from './facets.ts';
import { numbersFrom, type Rows } from './rows.ts';

const SORTS = ['last', 'first', ...NUMBERS, ...SINGLES.map(({ name }) => name)];
const FILTERED = [...FACETS.map(({ name }) => name), ...MULTIS.map(({ name }) => name), ...NUMBERS];
const values = new Map(FACETS.map((facet) => [facet.name, facet.values]));

/** Returns a function that draws the next number below a limit. */
export const belowFrom = (seed: number): ((limit: number) => number) => {
  const next = numbersFrom(seed);
  return (limit) => next() % limit;
};

/**
 * Yields random queries over these rows without limit: up to four filters, another one as a mask, up to two prefixes of names, any sort
 * order, and some deep pages. Prefixes have two or three letters: search tolerates no typos in such short words, and no identifier starts
 * with them.
 */
export function* randomQuestions(rows: Rows, seed: number): Generator<Query, never> {
  const below = belowFrom(seed);
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const several = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);
  const filterOn = (name: string): Filter => (values.has(name) ? facetFilter(name) : rangeFilter(name));
  const facetFilter = (facet: string): Filter => {
    const count = values.get(facet) as number;
    // Frequent values have low codes: most filters should match some rows.
    const value = () => valueOf(facet, below(below(3) > 0 ? Math.min(8, count) : count));
    const any = several(3, value);
    return { facet, any, none: any.length > 0 && below(3) > 0 ? [] : [value(), ...several(1, value)] };
  };
  const rangeFilter = (range: string): Filter => {
    const column = rows.numbers[range as (typeof NUMBERS)[number]];
    const [one, other] = [column[below(rows.count)] as number, column[below(rows.count)] as number];
    const begin = below(4) > 0 ? Math.min(one, other) : null;
    const end = begin === null || below(4) > 0 ? Math.max(one, other) : null;
    return { range, begin, end, negated: below(3) === 0 };
  };
  const word = () => {
    const name = below(2) > 0 ? rows.lastNames[rows.last[below(rows.count)] as number] : oneOf(rows.firstNames);
    return (name as string).slice(0, 2 + below(2));
  };
  const sort = (): Sort => ({ by: oneOf(SORTS), descending: below(2) > 0 });
  for (;;) {
    const [mask, ...names] = new Set([oneOf(FILTERED), ...several(4, () => oneOf(FILTERED))]);
    const filters = names.map(filterOn);
    const counted = new Set([...names.filter((name) => values.has(name)), oneOf(FACETS).name, oneOf(MULTIS).name]);
    yield {
      filters,
      where: below(3) === 0 ? [filterOn(mask as string)] : [],
      words: below(3) === 0 ? several(2, word) : [],
      sort: [sort(), ...several(2, sort)],
      offset: below(2) > 0 ? 0 : below(400),
      limit: 20,
      facets: FACETS.map(({ name }) => name).filter((name) => counted.has(name)),
      facetSize: 50,
    };
  }
}
