import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** A labeled value; null is shown as "Not recorded". */
export type Fact = [label: string, value: ReactNode | null];

/** Labeled values, in two columns if there is room. */
export const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl className={classes.facts}>
    {facts.map(([label, value]) => (
      <div key={label} className={classes.fact}>
        <dt>{label}</dt>
        <dd data-missing={value === null || undefined}>{value ?? 'Not recorded'}</dd>
      </div>
    ))}
  </dl>
);
