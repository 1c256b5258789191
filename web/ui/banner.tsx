import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertOctagonFilled, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from './icons.ts';
import { Notice } from './notice.tsx';

const KINDS = {
  SUCCESS: { color: 'positive', Icon: IconCircleCheck, word: 'Done' },
  WARNING: { color: 'caution', Icon: IconAlertTriangle, word: 'Warning' },
  INFO: { color: 'marine', Icon: IconInfoCircle, word: 'Note' },
  PATIENT_SAFETY: { color: 'critical', Icon: IconAlertOctagonFilled, word: 'Patient safety' },
} as const;
export type BannerKind = keyof typeof KINDS;

/**
 * A message at the top of a page, shown as long as it is true or, with `close`, until it is closed. `title` says in words what color
 * and icon say. Use the role 'note' for a banner that is there from the start, and the others for one that has just appeared.
 */
export const Banner = ({
  kind,
  role = 'note',
  title,
  inset,
  close,
  children,
}: {
  kind: BannerKind;
  role?: 'note' | 'status' | 'alert';
  title?: string;
  inset?: boolean;
  close?: (() => void) | undefined;
  children: ReactNode;
}) => {
  const { color, Icon, word } = KINDS[kind];
  return (
    <Notice
      role={role}
      color={color}
      title={title ?? (kind === 'PATIENT_SAFETY' ? word : undefined)}
      icon={<Icon size={18} stroke={1.75} aria-label={word} role="img" />}
      action={
        close && (
          <ActionIcon aria-label="Close this message" onClick={close}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )
      }
      edged
      inset={inset ?? false}
    >
      {children}
    </Notice>
  );
};
