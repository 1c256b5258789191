import type { ReactNode } from 'react';
import classes from './menu.module.css';

/** The last actions of a menu, which stay in reach while a long list above them scrolls. */
export const MenuActions = ({ children }: { children: ReactNode }) => (
  <div role="presentation" className={classes.actions}>
    {children}
  </div>
);
