import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconInfoCircle } from '../ui/icons.ts';

/** Explains inside a form why something can't be edited or is missing. */
export const Note = ({ children }: { children: ReactNode }) => (
  <Alert role="note" color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
    {children}
  </Alert>
);
