import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconInfoCircle } from '../ui/icons.ts';

/** Words inside a form that explain why it is as it is. */
export const Note = ({ children }: { children: ReactNode }) => (
  <Alert role="note" color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
    {children}
  </Alert>
);
