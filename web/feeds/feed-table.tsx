import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Feed, UnknownSender } from '#contract/feeds.ts';
import { AddButton } from '../admin/add-button.tsx';
import { useEditing } from '../admin/use-editing.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconPlayerPause } from '../ui/icons.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { UnreadDates } from './date-order.tsx';
import { ReplayButton } from './feed-actions.tsx';
import { feedsQuery } from './feed-queries.ts';
import { SenderApproval } from './sender-approval.tsx';
import { UnknownSenders } from './unknown-senders.tsx';

const loadDrawers = () => loadChunk('feed-settings', () => import('./feed-settings-drawer.tsx'));
const FeedSettingsDrawer = lazy(() => loadDrawers().then((file) => ({ default: file.FeedSettingsDrawer })));
const AddFeedDrawer = lazy(() => loadDrawers().then((file) => ({ default: file.AddFeedDrawer })));

const Quarantined = ({ count }: { count: number }) =>
  count === 0 ? (
    0
  ) : (
    <StatusBadge color="caution" Icon={IconAlertTriangle}>
      {count.toLocaleString('en-US')}
    </StatusBadge>
  );

const FeedName = ({ feed, done }: { feed: Feed; done: (message: string) => void }) => {
  const { name, organizationName, sendingApplication, sendingFacility, pausedAt } = feed;
  const sender = [sendingApplication, sendingFacility].filter(Boolean).join(' / ');
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={550}>
          {name}
        </Text>
        {pausedAt && (
          <StatusBadge color="gray" Icon={IconPlayerPause}>
            Paused since {formatDateTime(pausedAt)}
          </StatusBadge>
        )}
        <SenderApproval feed={feed} done={done} />
        <UnreadDates feed={feed} />
      </Group>
      <Text size="xs" c="dimmed">
        {[organizationName, sender].filter(Boolean).join(' · ')}
      </Text>
    </>
  );
};

const columns = (edit: (feed: Feed) => void, done: (message: string) => void): TableColumn<Feed>[] => [
  ['Feed', (feed) => <FeedName feed={feed} done={done} />],
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
  ['Received today', ({ receivedToday }) => receivedToday.toLocaleString('en-US'), 'right'],
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
  ['Type', ({ kind }) => kind],
  [
    'Settings',
    (feed) => (
      <>
        <Button size="xs" variant="default" aria-label={`Settings for ${feed.name}`} onClick={() => edit(feed)}>
          Settings
        </Button>
        {feed.suggestedCodes.length > 0 && (
          <Text size="xs" c="dimmed" mt={4}>
            Suggested: read {feed.suggestedCodes.map(({ code }) => code).join(', ')} as observation
          </Text>
        )}
      </>
    ),
  ],
];

/** The open drawer: the settings of a feed, or the form of a new one, for an unknown sender or from scratch. */
type OpenDrawer = { feed: Feed } | { sender: UnknownSender | null };

/** The feeds with their last message and their quarantine, and the senders that belong to no feed. */
export const FeedTable = () => {
  const client = useQueryClient();
  const { data, error, dataUpdatedAt, refetch } = useQuery(feedsQuery);
  const { open, message, showMessage, dismissMessage, edit, close, saved } = useEditing<OpenDrawer>();
  if (!data)
    return error ? (
      <Failed what="Couldn't load feeds." error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton h={120} />
    );
  const replayed = (text: string): void => {
    showMessage(text);
    void client.invalidateQueries({ queryKey: feedsQuery.queryKey });
  };
  const addButton = <AddButton label="Add feed" ready add={() => edit({ sender: null })} />;
  return (
    <>
      <SavedBanner message={message} close={dismissMessage} />
      {error && <Failed what="Couldn't refresh feeds." error={error} retry={() => void refetch()} />}
      {data.length === 0 ? (
        <Empty title="No feeds yet." action={addButton}>
          A feed defines who sends messages, and for which facilities.
        </Empty>
      ) : (
        <>
          <Group justify="space-between" gap="sm" mb="xs">
            <Text size="xs" c="dimmed">
              Updated {formatDateTime(new Date(dataUpdatedAt).toISOString())}
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
