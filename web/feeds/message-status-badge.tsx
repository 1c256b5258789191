import type { MessageStatus } from '#contract/feeds.ts';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconClock, IconCopy } from '../ui/icons.ts';
import { StatusBadge, type StatusLook } from '../ui/status-badge.tsx';

export const MESSAGE_STATUS_LOOKS = {
  PENDING: { label: 'Pending', color: 'marine', Icon: IconClock },
  APPLIED: { label: 'Applied', color: 'positive', Icon: IconCircleCheck },
  NOT_ACTED_ON: { label: 'Not acted on', color: 'gray', Icon: IconCircleDashed },
  QUARANTINED: { label: 'Quarantined', color: 'caution', Icon: IconAlertTriangle },
  DUPLICATE: { label: 'Duplicate', color: 'gray', Icon: IconCopy },
} as const satisfies Record<MessageStatus, StatusLook>;

/** What became of a message. */
export const MessageStatusBadge = ({ status }: { status: MessageStatus }) => {
  const { label, color, Icon } = MESSAGE_STATUS_LOOKS[status];
  return (
    <StatusBadge color={color} Icon={Icon}>
      {label}
    </StatusBadge>
  );
};
