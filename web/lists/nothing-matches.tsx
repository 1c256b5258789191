import { Button } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import type { Facet } from '#contract/facets.ts';
import { cleared, without } from '../filters/criteria.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { Empty } from '../ui/states.tsx';
import classes from './nothing-matches.module.css';

interface Props {
  /** The rows, in lower case plural: "patients". */
  what: string;
  filters: ListFilters;
  /** Where else to look, as a sentence. */
  elsewhere?: string;
}

/** Says that no row passes the filters (a group counts as one) and offers ways out. */
export const NothingMatches = ({ what, filters, elsewhere }: Props) => {
  const { criteria, count, search, change, clear, patch } = filters;
  const { group } = search;
  const applied = count + Number(group !== undefined);
  const { text, dateOfBirth, sort, order } = criteria;
  const searchesPerson = text !== '' || dateOfBirth !== null;
  const others = count - Number(text !== '') - Number(dateOfBirth !== null);
  const last = Object.keys(criteria.filters).at(-1) as Facet | undefined;
  return (
    <Empty
      title={`No ${what} match ${counted(applied, 'filter')}.`}
      action={
        <div className={classes.acts}>
          {last && count > 1 && (
            <Button size="xs" variant="default" onClick={() => change(without(criteria, last))}>
              Remove last filter
            </Button>
          )}
          {searchesPerson && others > 0 && (
            <Button
              size="xs"
              variant="default"
              onClick={() => change({ ...cleared(criteria), text, dateOfBirth, sort, order })}
            >
              Keep {text === '' ? 'birth date' : dateOfBirth === null ? 'name' : 'name and birth date'} only
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
      {searchesPerson
        ? 'Check the spelling, try the last name only, or search by date of birth.'
        : group
          ? 'Only one group is shown. Other groups may have matches.'
          : 'Try removing a filter.'}
      {elsewhere && ` ${elsewhere}`}
    </Empty>
  );
};
