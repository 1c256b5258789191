import { Button, Group, Text } from '@mantine/core';
import {
  MANAGEMENT_STATUS_LABELS,
  type ManagementStatus,
  RESOLUTION_LABELS,
  STATUS_CHANGE_FAILED,
  SYSTEM_USERNAME,
} from '#contract/management-status.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import type { Choice, Unsaved } from './status-change.ts';

interface Props {
  unsaved: Unsaved;
  /** Saves the change after all, over the one that was first. */
  keepMine: () => void;
  /** Loads the ping as saved, and drops the change. */
  takeTheirs: () => void;
}

/** Returns a choice in words, with the reasons and details that were typed. */
const inWords = ({ status, resolutions = [], otherText }: Choice): string =>
  [
    MANAGEMENT_STATUS_LABELS[status],
    ...resolutions.map((code) => (code === 'OTHER' && otherText ? otherText : RESOLUTION_LABELS[code])),
  ].join(' · ');

/** Who changed the ping first and to which status, or why Tidings did. */
const Current = ({ current }: { current: NonNullable<Unsaved['current']> }) => {
  const status = MANAGEMENT_STATUS_LABELS[current.status as ManagementStatus] ?? current.status;
  const date = <time dateTime={current.date}>{formatDateTime(current.date)}</time>;
  if (current.username === SYSTEM_USERNAME)
    return (
      <>
        It was automatically set to {status} on {date}. {current.otherText}
      </>
    );
  return (
    <>
      {current.displayName ?? current.username} set it to {status} on {date}.
    </>
  );
};

/** Says that a status change was not saved, and who changed the ping first. Offers to keep this change or to take theirs. */
export const ConflictNotice = ({ unsaved: { current, choice, said }, keepMine, takeTheirs }: Props) => {
  const isSystem = current?.username === SYSTEM_USERNAME;
  return (
    <Notice
      role="alert"
      color="caution"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={current ? (isSystem ? 'This ping just changed.' : 'Someone else just changed this ping.') : 'Not saved'}
    >
      <Text size="sm">
        {current ? (
          <>
            <Current current={current} /> Your change wasn't saved.
          </>
        ) : (
          (said ?? STATUS_CHANGE_FAILED)
        )}
      </Text>
      <Text size="sm">Your change: {inWords(choice)}</Text>
      <Group gap="xs" mt="xs">
        {!said && (
          <Button size="xs" variant="default" onClick={keepMine}>
            {current ? 'Keep mine' : 'Try again'}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={takeTheirs}>
          {current && !isSystem ? 'Take theirs' : 'Discard my change'}
        </Button>
      </Group>
    </Notice>
  );
};
