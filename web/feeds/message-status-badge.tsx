import type { Message, MessageStatus } from '#contract/feeds.ts';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconClock, IconCopy } from '../ui/icons.ts';
import { StatusBadge, type StatusLook } from '../ui/status-badge.tsx';

export const MESSAGE_STATUS_LOOKS = {
  PENDING: { label: 'Pending', color: 'marine', Icon: IconClock },
  APPLIED: { label: 'Applied', color: 'positive', Icon: IconCircleCheck },
  NOT_ACTED_ON: { label: 'Not acted on', color: 'gray', Icon: IconCircleDashed },
  QUARANTINED: { label: 'Quarantined', color: 'caution', Icon: IconAlertTriangle },
  DUPLICATE: { label: 'Duplicate', color: 'gray', Icon: IconCopy },
} as const satisfies Record<MessageStatus, StatusLook>;

/** A quarantined message that someone dismissed; its status is NOT_ACTED_ON. */
const DISMISSED: StatusLook = { label: 'Dismissed', color: 'gray', Icon: IconCircleX };

/** What became of a message. */
export const MessageStatusBadge = ({ message }: { message: Pick<Message, 'status' | 'dismissal'> }) => {
  const { label, color, Icon } = message.dismissal ? DISMISSED : MESSAGE_STATUS_LOOKS[message.status];
  return (
    <StatusBadge color={color} Icon={Icon}>
      {label}
    </StatusBadge>
  );
};
