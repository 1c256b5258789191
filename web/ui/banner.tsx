import type { ReactNode } from 'react';
import { IconAlertOctagonFilled, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from './icons.ts';
import { Notice } from './notice.tsx';

const KINDS = {
  SUCCESS: { color: 'positive', Icon: IconCircleCheck, word: 'Done' },
  WARNING: { color: 'caution', Icon: IconAlertTriangle, word: 'Warning' },
  INFO: { color: 'marine', Icon: IconInfoCircle, word: 'Note' },
  PATIENT_SAFETY: { color: 'critical', Icon: IconAlertOctagonFilled, word: 'Patient safety' },
} as const;
export type BannerKind = keyof typeof KINDS;

/** Something that stands above a page for as long as it is true. `title` says in words what colour and icon say. */
export const Banner = ({ kind, title, children }: { kind: BannerKind; title?: string; children: ReactNode }) => {
  const { color, Icon, word } = KINDS[kind];
  return (
    <Notice
      role="note"
      color={color}
      title={title ?? (kind === 'PATIENT_SAFETY' ? word : undefined)}
      icon={<Icon size={18} stroke={1.75} aria-label={word} role="img" />}
      edged
    >
      {children}
    </Notice>
  );
};
