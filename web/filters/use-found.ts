import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import type { Facet } from '#contract/facets.ts';
import type { FacetCounts, SearchParametersInput } from '#contract/search.ts';
import { TYPING_PAUSE } from '../ui/use-debounced.ts';
import { lookedUp } from './value-typeahead.tsx';

/** How many values of a facet are found beyond those that are counted. */
const MOST_FOUND = 50;

interface Finding {
  groups: readonly { facets: readonly Facet[] }[];
  counts: FacetCounts | undefined;
  /** What is typed into "Find a filter…". */
  text: string;
  parameters: SearchParametersInput;
}

/** The counts of a list with the values that have this text also beyond the most frequent ones: those are looked up once typing pauses. */
export const useFound = ({ groups, counts, text, parameters }: Finding) => {
  const [settled] = useDebouncedValue(text, TYPING_PAUSE);
  const cut = groups
    .flatMap(({ facets }) => facets)
    .filter((facet) => {
      const counted = counts?.[facet];
      return counted !== undefined && counted.options.length < counted.distinct;
    });
  const looks = useQueries({
    queries: settled ? cut.map((facet) => lookedUp(facet, settled, parameters, MOST_FOUND)) : [],
  });
  const found: FacetCounts = { ...counts };
  for (const [at, { data = [] }] of looks.entries()) {
    const facet = cut[at] as Facet;
    const counted = counts?.[facet];
    if (!counted) continue;
    const known = new Set(counted.options.map(({ value }) => value));
    found[facet] = { ...counted, options: [...counted.options, ...data.filter(({ value }) => !known.has(value))] };
  }
  return { counts: counts && found, isLooking: settled !== text || looks.some(({ isFetching }) => isFetching) };
};
