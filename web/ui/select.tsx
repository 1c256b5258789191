import type { ComponentProps } from 'react';
import classes from './select.module.css';

interface SelectProps extends Omit<ComponentProps<'select'>, 'className' | 'children'> {
  /** What it is for, where no label stands beside it. */
  'aria-label': string;
  data: { value: string; label: string }[];
}

/** The browser's own list of choices in the look of our inputs: the first page then loads no input library for it. */
export const Select = ({ data, ...rest }: SelectProps) => (
  <select className={classes.select} {...rest}>
    {data.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);
