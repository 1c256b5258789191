import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { IconClock } from './icons.ts';

/** How a status looks: its word, color and icon. */
export interface StatusLook {
  label: string;
  color: string;
  Icon: typeof IconClock;
}

/** A status as a badge: an icon's shape, a word and a color, so that color never carries the meaning alone (docs/ux.md). */
export const StatusBadge = ({ color, Icon, children }: Omit<StatusLook, 'label'> & { children: ReactNode }) => (
  <Badge component="span" color={color} leftSection={<Icon size={14} stroke={1.75} aria-hidden />}>
    {children}
  </Badge>
);
