import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { Failed } from '../ui/states.tsx';
import type { Conflict } from './use-form.ts';

/** That somebody else saved while this form was open: who it was, and the choice between the two. Nothing is lost before it is made. */
export const ChangedByOther = ({ conflict: { last, keepMine, takeTheirs } }: { conflict: Conflict }) => {
  const reload = useMutation({ mutationFn: async () => takeTheirs?.() });
  return (
    <Notice
      role="alert"
      color="caution"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title="Somebody else has changed this since you opened it."
      inset
    >
      <Text size="sm">
        {last && (
          <>
            The last change was made by {last.name}, <time dateTime={last.date}>{formatDateTime(last.date)}</time>.{' '}
          </>
        )}
        Nothing was saved. What stands in this form can replace that change, or give way to it.
      </Text>
      {reload.error && <Failed what="It could not be read again." error={reload.error} />}
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
