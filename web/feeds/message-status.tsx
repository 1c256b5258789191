import { Badge } from '@mantine/core';
import type { MessageStatus } from '#contract/feeds.ts';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconClock, IconCopy } from '../ui/icons.ts';

export const MESSAGE_STATUS_LABELS = {
  PENDING: 'Pending',
  APPLIED: 'Applied',
  NOT_ACTED_ON: 'Not acted on',
  QUARANTINED: 'Quarantined',
  DUPLICATE: 'Duplicate',
} as const satisfies Record<MessageStatus, string>;

const LOOKS = {
  PENDING: ['marine', IconClock],
  APPLIED: ['positive', IconCircleCheck],
  NOT_ACTED_ON: ['gray', IconCircleDashed],
  QUARANTINED: ['caution', IconAlertTriangle],
  DUPLICATE: ['gray', IconCopy],
} as const satisfies Record<MessageStatus, [string, typeof IconClock]>;

/** What became of a message: shape, word and colour. */
export const MessageStatusBadge = ({ status }: { status: MessageStatus }) => {
  const [color, Icon] = LOOKS[status];
  return (
    <Badge component="span" color={color} leftSection={<Icon size={14} stroke={1.75} aria-hidden />}>
      {MESSAGE_STATUS_LABELS[status]}
    </Badge>
  );
};
