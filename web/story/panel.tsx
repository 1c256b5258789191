import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './story.module.css';

/** A part of the story with a heading. */
export const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.panel} aria-label={title}>
    <h2 className={classes.railTitle}>{title}</h2>
    {children}
  </section>
);

/** Says that there is nothing. */
export const None = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

/** Returns values one below the other; null if there are none. */
export const lines = (values: readonly ReactNode[]): ReactNode | null =>
  values.length === 0
    ? null
    : values.map((value, at) => (
        // The lines have no identity of their own.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={classes.line}>
          {value}
        </div>
      ));
