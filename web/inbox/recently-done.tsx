import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import { MANAGEMENT_STATUS_LABELS } from '#contract/management-status.ts';
import type { DoneItem, UndoOf } from '#contract/worklist.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { born } from '../patient/phrases.ts';
import { announce } from '../ui/announcer.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { familyFirst, groupedId } from '../ui/format/name.ts';
import { Failed } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import classes from './work.module.css';
import { changeInWords } from './work-panel.tsx';
import { doneQuery } from './work-queries.ts';

/** Returns what was done, in words. */
const inWords = ({ status, work }: DoneItem): string => {
  if (work) return changeInWords(work);
  if (!status) return '';
  const label = MANAGEMENT_STATUS_LABELS[status.status];
  return status.pings > 1 ? `${label}, ${counted(status.pings, 'ping', 'pings')}` : label;
};

const Item = ({ item }: { item: DoneItem }) => {
  const client = useQueryClient();
  const now = useNow();
  const { undo } = item;
  const back = useMutation({
    mutationFn: (body: UndoOf) => call('POST /api/recently-done/undo', { body }),
    onSuccess: () => announce(`Undone. ${familyFirst(item)}.`),
    onSettled: () => {
      for (const queryKey of [doneQuery.queryKey, ['pings'], ['patient'], ['ping-history'], ['work-history']])
        void client.invalidateQueries({ queryKey });
    },
  });
  return (
    <li>
      <span>
        <strong>{familyFirst(item)}</strong> <span className={classes.dim}>{born(item.dateOfBirth, now)}</span>{' '}
        {item.memberId && <span className={`${classes.dim} ${classes.id}`}>· {groupedId(item.memberId)}</span>}
        <br />
        {inWords(item)} · {item.facilityName}
        <br />
        <time className={classes.dim} dateTime={item.date}>
          {formatDateTime(item.date)}
        </time>
        {back.error && (
          <Text size="sm" role="alert">
            Not undone. {reasonOf(back.error)}
          </Text>
        )}
      </span>
      {undo ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={back.isPending}
          aria-label={`Undo: ${familyFirst(item)}, ${inWords(item)}`}
          onClick={() => back.mutate(undo)}
        >
          Undo
        </Button>
      ) : (
        <span className={classes.dim}>Changed since</span>
      )}
    </li>
  );
};

/** Returns how much of the last two days is shown. */
const shownInWords = (items: readonly DoneItem[], hasMore: boolean): string => {
  const oldest = items.at(-1)?.date;
  return hasMore && oldest
    ? `The last ${items.length} changes you made on this team, back to ${formatDateTime(oldest)}.`
    : 'What you did on this team in the last two days.';
};

/** What the user did on this team in the last two days, a page at a time, each with Undo while no one has changed it since. */
export const RecentlyDone = ({ close }: { close: () => void }) => {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(doneQuery);
  const items = data?.pages.flatMap((page) => page.items);
  const more = async (): Promise<void> => {
    const before = items?.length ?? 0;
    const pages = (await fetchNextPage()).data?.pages;
    const now = pages?.flatMap((page) => page.items).length ?? before;
    if (now > before) announce(`${counted(now - before, 'more change', 'more changes')} shown.`);
  };
  return (
    <Dialog title="Recently done" close={close}>
      <Text size="sm" c="dimmed">
        {shownInWords(items ?? [], hasNextPage)}
      </Text>
      {error && <Failed what="Couldn’t load what you did." error={error} retry={() => void refetch()} />}
      {items?.length === 0 && <Text mt="sm">Nothing yet. Status changes, assignments and waits appear here.</Text>}
      {items && items.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={classes.done} tabIndex={0} aria-label="Recently done">
          {items.map((item) => (
            <Item key={`${item.date} ${item.patientId} ${item.work?.id ?? item.status?.status}`} item={item} />
          ))}
        </ul>
      )}
      <Group mt="md" gap="xs">
        <Button variant="default" data-autofocus onClick={close}>
          Close
        </Button>
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void more()}>
            Load older
          </Button>
        )}
      </Group>
    </Dialog>
  );
};
