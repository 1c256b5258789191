import { Button } from '@mantine/core';
import type { Facet } from '#contract/facets.ts';
import { Empty } from '../ui/states.tsx';
import { without } from './criteria.ts';
import classes from './nothing-matches.module.css';
import type { ListFilters } from './use-filters.ts';

/** That nothing passes the filters, the one group that is looked at among them, and the ways out of it. */
export const NothingMatches = ({ what, filters }: { what: string; filters: ListFilters }) => {
  const { criteria, count, search, change, clear, patch } = filters;
  const { group } = search;
  const used = count + Number(group !== undefined);
  const last = Object.keys(criteria.filters).at(-1) as Facet | undefined;
  return (
    <Empty
      title={`No ${what} match ${used} ${used === 1 ? 'filter' : 'filters'}.`}
      action={
        <div className={classes.acts}>
          {last && count > 1 && (
            <Button size="xs" variant="default" onClick={() => change(without(criteria, last))}>
              Remove the last one
            </Button>
          )}
          {group && (
            <Button size="xs" variant="default" onClick={() => patch({ group: undefined, p: undefined })}>
              Show all groups
            </Button>
          )}
          {count > 0 && (
            <Button size="xs" variant="default" onClick={clear}>
              Clear all
            </Button>
          )}
        </div>
      }
    >
      {criteria.text || criteria.dateOfBirth
        ? 'Check the spelling, try the family name alone, or search by date of birth.'
        : group
          ? 'Only one group is shown; the others may have some.'
          : 'There may be some without these filters.'}
    </Empty>
  );
};
