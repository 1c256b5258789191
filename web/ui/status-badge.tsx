import type { ReactNode } from 'react';
import type { IconClock } from './icons.ts';
import type { Color } from './plain/style.ts';
import { Badge } from './plain/text.tsx';

/** How a status looks: its word, color and icon. */
export interface StatusLook {
  label: string;
  color: Color;
  Icon: typeof IconClock;
}

/** A status as a badge: an icon's shape, a word and a color, so that color never carries the meaning alone (docs/ux.md). */
export const StatusBadge = ({ color, Icon, children }: Omit<StatusLook, 'label'> & { children: ReactNode }) => (
  <Badge color={color} wrapped icon={<Icon size={14} stroke={1.75} aria-hidden />}>
    {children}
  </Badge>
);
