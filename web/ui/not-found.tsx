import type { ReactNode } from 'react';
import { Text, Title } from './plain/text.tsx';
import classes from './states.module.css';

/** Shown instead of a page whose content doesn't exist or isn't for this user. Its title is the page's heading, so that screen readers find it first. */
export const NotFound = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={classes.empty}>
    <Title>{title}</Title>
    <Text c="dimmed">{children}</Text>
  </div>
);
