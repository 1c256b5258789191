import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { Failed } from '../ui/states.tsx';
import type { Conflict } from './use-form.ts';

/** Shown when someone else saved while this form was open: who and when, and the choice between the two versions. Both are kept until then. */
export const ChangedByOther = ({ conflict: { last, keepMine, takeTheirs } }: { conflict: Conflict }) => {
  const reload = useMutation({ mutationFn: async () => takeTheirs?.() });
  return (
    <Notice
      role="alert"
      color="caution"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title="Someone else changed this while you had it open."
      inset
    >
      <Text size="sm">
        {last && (
          <>
            Last changed by {last.name}, <time dateTime={last.date}>{formatDateTime(last.date)}</time>.{' '}
          </>
        )}
        Your changes aren't saved yet. Keep yours to replace theirs, or take theirs to discard yours.
      </Text>
      {reload.error && <Failed what="Couldn't load the latest version." error={reload.error} />}
      <Group gap="sm" mt="xs">
        <Button size="xs" variant="default" disabled={reload.isPending} onClick={keepMine}>
          Keep mine
        </Button>
        {takeTheirs && (
          <Button size="xs" variant="default" loading={reload.isPending} onClick={() => reload.mutate()}>
            Take theirs
          </Button>
        )}
      </Group>
    </Notice>
  );
};
