import { Badge, Button, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Feed } from '#contract/feeds.ts';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { feedsQuery } from './feed-queries.ts';
import classes from './feeds.module.css';

const FeedSettingsDrawer = lazy(() =>
  import('./feed-settings-drawer.tsx').then((file) => ({ default: file.FeedSettingsDrawer })),
);

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
  return (
    <div className={classes.wide} tabIndex={0} role="region" aria-label="Feeds">
      <SavedBanner message={message} close={() => say(null)} />
      {error && <Failed what="The feeds could not be renewed." error={error} retry={() => void refetch()} />}
      <Table miw={720} stickyHeader={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Feed</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th>Facilities</Table.Th>
            <Table.Th>Last message</Table.Th>
            <Table.Th ta="right">Today</Table.Th>
            <Table.Th ta="right">Quarantined</Table.Th>
            <Table.Th>
              <VisuallyHidden>Settings</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((feed) => (
            <Table.Tr key={feed.id}>
              <Table.Td>
                <Text size="sm" fw={550}>
                  {feed.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {[feed.organizationName, [feed.sendingApplication, feed.sendingFacility].filter(Boolean).join(' / ')]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </Table.Td>
              <Table.Td>{feed.kind}</Table.Td>
              <Table.Td>
                {feed.facilities.map(({ identifier, groupId, groupName }) => (
                  <div key={`${groupId} ${identifier}`}>
                    {groupName}{' '}
                    <Text span size="xs" c="dimmed">
                      {identifier}
                    </Text>
                  </div>
                ))}
              </Table.Td>
              <Table.Td>{feed.lastMessageAt ? formatDateTime(feed.lastMessageAt) : 'None yet'}</Table.Td>
              <Table.Td ta="right">{feed.receivedToday.toLocaleString('en-US')}</Table.Td>
              <Table.Td ta="right">
                {feed.quarantined > 0 ? (
                  <Badge
                    component="span"
                    color="caution"
                    leftSection={<IconAlertTriangle size={14} stroke={1.75} aria-hidden />}
                  >
                    {feed.quarantined.toLocaleString('en-US')}
                  </Badge>
                ) : (
                  0
                )}
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Settings of ${feed.name}`}
                  onClick={() => {
                    say(null);
                    setOpen(feed);
                  }}
                >
                  Settings
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
    </div>
  );
};
