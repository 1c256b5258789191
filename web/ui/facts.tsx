import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** A labeled value; null is shown as "Not recorded", or as the words that the list is given. */
export type Fact = [label: string, value: ReactNode | null];

/** Labeled values, in two columns if there is room. */
export const Facts = ({ facts, missing = 'Not recorded' }: { facts: Fact[]; missing?: string }) => (
  <dl className={classes.facts}>
    {facts.map(([label, value]) => (
      <div key={label} className={classes.fact}>
        <dt>{label}</dt>
        <dd data-missing={value === null || undefined}>{value ?? missing}</dd>
      </div>
    ))}
  </dl>
);
