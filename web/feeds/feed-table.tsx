import { Badge, Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Feed } from '#contract/feeds.ts';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { feedsQuery } from './feed-queries.ts';

const FeedSettingsDrawer = lazy(() =>
  import('./feed-settings-drawer.tsx').then((file) => ({ default: file.FeedSettingsDrawer })),
);

const Quarantined = ({ count }: { count: number }) =>
  count === 0 ? (
    0
  ) : (
    <Badge component="span" color="caution" leftSection={<IconAlertTriangle size={14} stroke={1.75} aria-hidden />}>
      {count.toLocaleString('en-US')}
    </Badge>
  );

const columns = (edit: (feed: Feed) => void): TableColumn<Feed>[] => [
  [
    'Feed',
    ({ name, organizationName, sendingApplication, sendingFacility }) => (
      <>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {[organizationName, [sendingApplication, sendingFacility].filter(Boolean).join(' / ')]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </>
    ),
  ],
  ['Quarantined', ({ quarantined }) => <Quarantined count={quarantined} />, 'right'],
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

/** The feeds with when they were last heard and what waits in their quarantine. */
export const FeedTable = () => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(feedsQuery);
  const [open, setOpen] = useState<Feed | null>(null);
  const [message, say] = useState<string | null>(null);
  if (!data)
    return error ? (
      <Failed what="The feeds could not be loaded." error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton h={120} />
    );
  if (data.length === 0)
    return <Empty title="No feed is configured.">Messages arrive once a facility's feed is set up.</Empty>;
  const edit = (feed: Feed): void => {
    say(null);
    setOpen(feed);
  };
  return (
    <>
      <SavedBanner message={message} close={() => say(null)} />
      {error && <Failed what="The feeds could not be renewed." error={error} retry={() => void refetch()} />}
      <CardTable label="Feeds" rows={data} columns={columns(edit)} />
      <Text size="xs" c="dimmed" mt={4}>
        As of {formatDateTime(new Date(dataUpdatedAt).toISOString())}
      </Text>
      {open && (
        <Suspense>
          <FeedSettingsDrawer
            key={open.id}
            feed={open}
            close={() => setOpen(null)}
            saved={(words) => {
              setOpen(null);
              say(words);
            }}
          />
        </Suspense>
      )}
    </>
  );
};
