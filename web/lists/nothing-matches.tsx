import { Button } from '@mantine/core';
import type { Facet } from '#contract/facets.ts';
import { cleared, without } from '../filters/criteria.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { Empty } from '../ui/states.tsx';
import classes from './nothing-matches.module.css';

interface Props {
  /** In lower case, in the plural. */
  what: string;
  filters: ListFilters;
  /** Where else one may look, in a sentence. */
  elsewhere?: string;
}

/** That nothing passes the filters, the one group that is looked at among them, and the ways out of it. */
export const NothingMatches = ({ what, filters, elsewhere }: Props) => {
  const { criteria, count, search, change, clear, patch } = filters;
  const { group } = search;
  const used = count + Number(group !== undefined);
  const { text, dateOfBirth, sort, order } = criteria;
  const isOfPerson = text !== '' || dateOfBirth !== null;
  const others = count - Number(text !== '') - Number(dateOfBirth !== null);
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
          {isOfPerson && others > 0 && (
            <Button
              size="xs"
              variant="default"
              onClick={() => change({ ...cleared(criteria), text, dateOfBirth, sort, order })}
            >
              Keep only the {text === '' ? 'birth date' : dateOfBirth === null ? 'name' : 'name and birth date'}
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
      {isOfPerson
        ? 'Check the spelling, try the family name alone, or search by date of birth.'
        : group
          ? 'Only one group is shown; the others may have some.'
          : 'There may be some without these filters.'}
      {elsewhere && ` ${elsewhere}`}
    </Empty>
  );
};
