import type { ComponentProps } from 'react';
import { ChoiceField } from './choice-field.tsx';
import classes from './search-select.module.css';

/** A field that searches many choices, in a row of tools. */
export const SearchSelect = (
  props: Pick<ComponentProps<typeof ChoiceField>, 'aria-label' | 'value' | 'onChange' | 'data'>,
) => (
  <div className={classes.field}>
    <ChoiceField {...props} size="xs" />
  </div>
);
