import type { ComponentProps } from 'react';
import { ChoiceField } from '../ui/choice-field.tsx';
import classes from './group-search.module.css';

/** The field that searches the groups of a team which has many, in a row of tools. */
export const GroupSearch = (
  props: Pick<ComponentProps<typeof ChoiceField>, 'aria-label' | 'value' | 'onChange' | 'data'>,
) => (
  <div className={classes.field}>
    <ChoiceField {...props} size="xs" />
  </div>
);
