import type { CSSProperties, ReactNode } from 'react';
import classes from './notice.module.css';

/** A tinted box with an icon, a title and text. `role` tells assistive technology what it is. */
export const Notice = ({
  role,
  color,
  icon,
  title,
  action,
  edged,
  inset,
  children,
}: {
  role: 'alert' | 'status' | 'note';
  color: 'critical' | 'caution' | 'positive' | 'marine' | 'gray';
  icon?: ReactNode;
  title?: string | undefined;
  /** At the right, such as a close button. */
  action?: ReactNode;
  /** With an edge in the full color, for the top of a page. */
  edged?: boolean;
  /** With space around it. */
  inset?: boolean;
  children: ReactNode;
}) => (
  <div
    role={role}
    className={classes.notice}
    data-edged={edged || undefined}
    data-inset={inset || undefined}
    style={
      {
        '--notice-ground': `var(--mantine-color-${color}-light)`,
        '--notice-color': `var(--mantine-color-${color}-light-color)`,
        '--notice-edge': `var(--mantine-color-${color}-6)`,
      } as CSSProperties
    }
  >
    {icon && <span className={classes.icon}>{icon}</span>}
    <div className={classes.words}>
      {title && <div className={classes.title}>{title}</div>}
      <div>{children}</div>
    </div>
    {action}
  </div>
);
