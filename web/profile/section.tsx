import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './profile.module.css';

/** A section of the profile, with its heading. */
export const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section className={classes.section} aria-labelledby={id}>
    <Title order={2} id={id}>
      {title}
    </Title>
    {children}
  </section>
);
