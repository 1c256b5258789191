import type { ComponentProps } from 'react';
import classes from './select.module.css';

interface SelectProps extends Omit<ComponentProps<'select'>, 'className' | 'children'> {
  /** Required, since there is no visible label. */
  'aria-label': string;
  data: { value: string; label: string }[];
}

/** A native select, styled as our inputs: it adds no input library to the first page. */
export const Select = ({ data, ...rest }: SelectProps) => (
  <select className={classes.select} {...rest}>
    {data.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);
