import type { ReactNode } from 'react';
import { Text, Title } from './plain/text.tsx';
import classes from './states.module.css';

/** In place of a page whose content doesn't exist or isn't for this user. As its heading, it is also what a screen reader finds first. */
export const NotFound = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={classes.empty}>
    <Title>{title}</Title>
    <Text c="dimmed">{children}</Text>
  </div>
);
