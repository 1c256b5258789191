import { Anchor } from '@mantine/core';
import { FACETS, type Facet } from '#contract/facets.ts';
import { IconX } from '../ui/icons.ts';
import { without } from './criteria.ts';
import classes from './filter-chips.module.css';
import { summaryOf } from './filter-words.ts';
import type { ListFilters } from './use-filters.ts';

const Chip = ({ words, remove }: { words: string; remove: () => void }) => (
  <li className={classes.chip}>
    {words}
    <button type="button" aria-label={`Remove the filter ${words}`} onClick={remove}>
      <IconX size={14} aria-hidden />
    </button>
  </li>
);

/** What is filtered, one chip a facet, each with its end; nothing where nothing is filtered. */
export const FilterChips = ({ filters, save }: { filters: ListFilters; save?: () => void }) => {
  const { criteria, change, count, clear } = filters;
  const chosen = Object.entries(criteria.filters) as [Facet, NonNullable<(typeof criteria.filters)[Facet]>][];
  if (count === 0 || (chosen.length === 0 && !criteria.openPatientsOnly && !criteria.text && !criteria.dateOfBirth))
    return null;
  return (
    <ul
      // Safari takes the role from lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      className={classes.chips}
      aria-label="Filters in use"
    >
      {criteria.openPatientsOnly && (
        <Chip words="Open patients only" remove={() => change({ ...criteria, openPatientsOnly: false })} />
      )}
      {chosen.map(([facet, values]) => (
        <Chip
          key={facet}
          words={`${FACETS[facet].label}: ${summaryOf(facet, values)}`}
          remove={() => change(without(criteria, facet))}
        />
      ))}
      <li>
        <Anchor component="button" size="xs" className={classes.clear} onClick={clear}>
          Clear all
        </Anchor>
      </li>
      {save && !filters.saved && (
        <li>
          <Anchor component="button" size="xs" className={classes.clear} onClick={save}>
            Save filter
          </Anchor>
        </li>
      )}
    </ul>
  );
};
