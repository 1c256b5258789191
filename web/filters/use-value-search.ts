import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import type { Facet } from '#contract/facets.ts';
import type { FacetCounts, SearchParametersInput } from '#contract/search.ts';
import { TYPING_PAUSE } from '../ui/use-debounced.ts';
import { typeaheadQuery } from './typeahead-query.ts';

/** The most values of a facet to look up beyond those that are counted. */
const MAX_FOUND = 50;

interface ValueSearch {
  groups: readonly { facets: readonly Facet[] }[];
  counts: FacetCounts | undefined;
  /** The text in "Find a filter…". */
  text: string;
  parameters: SearchParametersInput;
}

/**
 * Returns the counts of a list, extended by values with this text that are too rare to be counted. Those are looked up once typing
 * pauses, and only for facets that have more values than are counted.
 */
export const useValueSearch = ({ groups, counts, text, parameters }: ValueSearch) => {
  const [settled] = useDebouncedValue(text, TYPING_PAUSE);
  const incomplete = groups
    .flatMap(({ facets }) => facets)
    .filter((facet) => {
      const counted = counts?.[facet];
      return counted !== undefined && counted.options.length < counted.distinct;
    });
  const lookups = useQueries({
    queries: settled ? incomplete.map((facet) => typeaheadQuery(facet, settled, parameters, MAX_FOUND)) : [],
  });
  const found: FacetCounts = { ...counts };
  for (const [at, { data = [] }] of lookups.entries()) {
    const facet = incomplete[at] as Facet;
    const counted = counts?.[facet];
    if (!counted) continue;
    const known = new Set(counted.options.map(({ value }) => value));
    found[facet] = { ...counted, options: [...counted.options, ...data.filter(({ value }) => !known.has(value))] };
  }
  return { counts: counts && found, isSearching: settled !== text || lookups.some(({ isFetching }) => isFetching) };
};
