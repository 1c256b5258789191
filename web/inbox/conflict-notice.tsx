import { Button, Text } from '@mantine/core';
import { MANAGEMENT_STATUS_LABELS, type ManagementStatus, STATUS_CHANGE_FAILED } from '#contract/management-status.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import type { Unsaved } from './status-change.ts';

/** Says that a status change was not saved, who changed the ping first, and offers to load their change. */
export const ConflictNotice = ({ unsaved: { current }, reload }: { unsaved: Unsaved; reload: () => void }) => (
  <Notice
    role="alert"
    color="caution"
    icon={<IconAlertTriangle size={18} aria-hidden />}
    title={current ? 'Someone else just changed this ping.' : 'Not saved'}
  >
    <Text size="sm">
      {current ? (
        <>
          {current.username} set it to {MANAGEMENT_STATUS_LABELS[current.status as ManagementStatus] ?? current.status}{' '}
          on <time dateTime={current.date}>{formatDateTime(current.date)}</time>. Your change wasn't saved.
        </>
      ) : (
        STATUS_CHANGE_FAILED
      )}
    </Text>
    <Button mt="xs" size="xs" variant="default" onClick={reload}>
      Reload ping
    </Button>
  </Notice>
);
