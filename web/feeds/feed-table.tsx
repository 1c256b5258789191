import { Badge, Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Feed, UnknownSender } from '#contract/feeds.ts';
import { AddButton } from '../admin/add-button.tsx';
import { useEditing } from '../admin/admin-page.tsx';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconPlayerPause } from '../ui/icons.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { ReplayButton } from './feed-acts.tsx';
import { feedsQuery } from './feed-queries.ts';
import { UnknownSenders } from './unknown-senders.tsx';

const FeedSettingsDrawer = lazy(() =>
  import('./feed-settings-drawer.tsx').then((file) => ({ default: file.FeedSettingsDrawer })),
);
const AddFeedDrawer = lazy(() =>
  import('./feed-settings-drawer.tsx').then((file) => ({ default: file.AddFeedDrawer })),
);

const Quarantined = ({ count }: { count: number }) =>
  count === 0 ? (
    0
  ) : (
    <Badge component="span" color="caution" leftSection={<IconAlertTriangle size={14} stroke={1.75} aria-hidden />}>
      {count.toLocaleString('en-US')}
    </Badge>
  );

const columns = (edit: (feed: Feed) => void, done: (message: string) => void): TableColumn<Feed>[] => [
  [
    'Feed',
    ({ name, organizationName, sendingApplication, sendingFacility, pausedAt }) => (
      <>
        <Group gap="xs">
          <Text size="sm" fw={550}>
            {name}
          </Text>
          {pausedAt && (
            <Badge component="span" color="gray" leftSection={<IconPlayerPause size={14} stroke={1.75} aria-hidden />}>
              Paused since {formatDateTime(pausedAt)}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {[organizationName, [sendingApplication, sendingFacility].filter(Boolean).join(' / ')]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </>
    ),
  ],
  [
    'Quarantined',
    (feed) => (
      <>
        <Quarantined count={feed.quarantined} />{' '}
        {feed.quarantined > 0 && !feed.pausedAt && <ReplayButton feed={feed} done={done} />}
      </>
    ),
    'right',
  ],
  ['Last message', ({ lastMessageAt }) => (lastMessageAt ? formatDateTime(lastMessageAt) : 'None yet')],
  ['Today', ({ receivedToday }) => receivedToday.toLocaleString('en-US'), 'right'],
  [
    'Facilities',
    ({ facilities }) =>
      facilities.map(({ identifier, groupId, groupName }) => (
        <div key={`${groupId} ${identifier}`}>
          {groupName}{' '}
          <Text span size="xs" c="dimmed">
            {identifier}
          </Text>
        </div>
      )),
  ],
  ['Kind', ({ kind }) => kind],
  [
    'Settings',
    (feed) => (
      <Button size="xs" variant="default" aria-label={`Settings of ${feed.name}`} onClick={() => edit(feed)}>
        Settings
      </Button>
    ),
  ],
];

/** What stands open: the settings of a feed, or the form of a new one, of an unknown sender or of any. */
type Open = { feed: Feed } | { sender: UnknownSender | null };

/** The feeds with when they were last heard and what waits in their quarantine; and who sends and is of none. */
export const FeedTable = () => {
  const client = useQueryClient();
  const { data, error, dataUpdatedAt, refetch } = useQuery(feedsQuery);
  const { open, message, say, edit, close, saved } = useEditing<Open>();
  if (!data)
    return error ? (
      <Failed what="The feeds could not be loaded." error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton h={120} />
    );
  const replayed = (words: string): void => {
    say(words);
    void client.invalidateQueries({ queryKey: feedsQuery.queryKey });
  };
  const addButton = <AddButton words="Add a feed" ready add={() => edit({ sender: null })} />;
  return (
    <>
      <SavedBanner message={message} close={() => say(null)} />
      {error && <Failed what="The feeds could not be renewed." error={error} retry={() => void refetch()} />}
      {data.length === 0 ? (
        <Empty title="There is no feed yet." action={addButton}>
          A feed says who sends messages, and of which facilities.
        </Empty>
      ) : (
        <>
          <Group justify="space-between" gap="sm" mb="xs">
            <Text size="xs" c="dimmed">
              As of {formatDateTime(new Date(dataUpdatedAt).toISOString())}
            </Text>
            {addButton}
          </Group>
          <CardTable label="Feeds" rows={data} columns={columns((feed) => edit({ feed }), replayed)} />
        </>
      )}
      <UnknownSenders add={(sender) => edit({ sender })} />
      {open && (
        <Suspense>
          {'feed' in open ? (
            <FeedSettingsDrawer key={open.feed.id} feed={open.feed} close={close} saved={saved} />
          ) : (
            <AddFeedDrawer sender={open.sender} close={close} saved={saved} />
          )}
        </Suspense>
      )}
    </>
  );
};
