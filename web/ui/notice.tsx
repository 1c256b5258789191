import type { CSSProperties, ReactNode } from 'react';
import classes from './notice.module.css';

/** A tinted box with an icon, a title and words; what it is to assistive technology says its `role`. */
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
  /** At the end of it, such as what closes it. */
  action?: ReactNode;
  /** With an edge in the full colour, for what stands above a page. */
  edged?: boolean;
  /** Apart from the edges of what it stands in. */
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
