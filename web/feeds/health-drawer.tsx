import { Drawer, Skeleton, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { counted } from '#contract/counted.ts';
import type { FeedHealth } from '#contract/feed-health.ts';
import { FEED_FIELDS, HEALTH_DAYS } from '#contract/feed-health-words.ts';
import type { Feed } from '#contract/feeds.ts';
import { useBack } from '../router/use-back.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { feedHealthQuery } from './feed-queries.ts';
import classes from './health.module.css';
import { rateSentence, stateLook, stateSentence, withinWords } from './health-words.ts';

const many = (count: number): string => count.toLocaleString('en-US');

/** Bars of the last hours with what they mean at the ends of both axes, and the same as a table. */
const Hours = ({ hours }: Pick<FeedHealth, 'hours'>) => {
  const most = Math.max(...hours.map(({ messages }) => messages), 1);
  const total = hours.reduce((sum, { messages }) => sum + messages, 0);
  const last = hours.findLast(({ messages }) => messages > 0);
  const words =
    total === 0
      ? `No new messages in the last ${hours.length} whole hours.`
      : `${counted(total, 'new message', 'new messages')} in the last ${hours.length} whole hours, at most ${many(most)} in an hour.${last ? ` The last hour with messages began ${formatDateTime(last.hour)}.` : ''}`;
  return (
    <>
      <div className={classes.axis}>Most in an hour: {many(most)}</div>
      <div className={classes.hours} role="img" aria-label={words}>
        {hours.map(({ hour, messages }) => (
          <span
            key={hour}
            title={`${formatDateTime(hour)}: ${many(messages)}`}
            style={{ height: `${Math.max((messages / most) * 100, messages > 0 ? 4 : 1)}%` }}
            data-empty={messages === 0 || undefined}
          />
        ))}
      </div>
      <div className={classes.axis}>
        <span>{hours[0] && formatDateTime(hours[0].hour)}</span>
        <span>{hours.length > 1 && formatDateTime(hours.at(-1)?.hour ?? '')}</span>
      </div>
      <Text size="xs" c="dimmed">
        {words} The hour that has begun is left out here, and counted above.
      </Text>
      <details className={classes.table}>
        <summary>View table</summary>
        <Rows
          label="Messages by hour"
          head={['Hour beginning', 'New messages']}
          rows={hours.toReversed().map(({ hour, messages }) => [formatDateTime(hour), many(messages)])}
        />
      </details>
    </>
  );
};

const Rows = ({ label, head, rows }: { label: string; head: readonly string[]; rows: readonly ReactNode[][] }) => (
  <Table aria-label={label} className={classes.flush} stickyHeader={false} verticalSpacing={4}>
    <Table.Thead>
      <Table.Tr>
        {head.map((text, at) => (
          <Table.Th key={text} data-align={at === 0 ? undefined : 'right'} ta={at === 0 ? undefined : 'right'}>
            {text}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((cells, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are shown once and hold no state
        <Table.Tr key={row}>
          {cells.map((cell, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Table.Td key={at} ta={at === 0 ? undefined : 'right'} className="tabular">
              {cell}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

const share = (part: number, whole: number): string => `${Math.round((part / whole) * 100)}%`;

const Health = ({ health }: { health: FeedHealth }) => {
  const { label, ...look } = stateLook(health);
  const timed = health.delays.reduce((sum, { messages }) => sum + messages, 0);
  return (
    <>
      <StatusBadge {...look}>{label}</StatusBadge>
      <Text my="xs">{stateSentence(health)}</Text>
      {health.silentFacilities.map(({ facilityName, since }) => (
        <Text key={facilityName} my="xs">
          {facilityName}: no message since {formatDateTime(since)}, longer than usual, while the feed's other facilities
          are heard from. Check its part of the sender's interface.
        </Text>
      ))}
      <Title order={3} size="h4" mt="md">
        Messages by hour
      </Title>
      <Text size="sm" mb="xs">
        {rateSentence(health)}
      </Text>
      <Hours hours={health.hours} />
      <Title order={3} size="h4" mt="lg">
        Delay from event to receipt
      </Title>
      <Text size="xs" c="dimmed">
        Last {HEALTH_DAYS} days. Messages without a time of day are left out.
      </Text>
      {timed === 0 ? (
        <Text mt="xs">No messages.</Text>
      ) : (
        <Rows
          label="Delay"
          head={['Received', 'Messages', 'Share']}
          rows={health.delays.map(({ withinMinutes, messages }) => [
            withinWords(withinMinutes),
            many(messages),
            share(messages, timed),
          ])}
        />
      )}
      <Title order={3} size="h4" mt="lg">
        Missing fields
      </Title>
      <Text size="xs" c="dimmed">
        Arrivals and discharges of the last {HEALTH_DAYS} days. A diagnosis isn't required by law; the other fields are
        needed for matching and for the lists.
      </Text>
      {health.fields.every(({ missing }) => missing === 0) ? (
        <Text mt="xs">{health.fields.length === 0 ? 'No messages.' : 'No field is missing.'}</Text>
      ) : (
        <Rows
          label="Missing fields"
          head={['Field', 'Missing', 'Share']}
          rows={health.fields
            .filter(({ missing }) => missing > 0)
            .map(({ field, messages, missing }) => [
              `${FEED_FIELDS[field]} (${field})`,
              `${many(missing)} of ${many(messages)}`,
              share(missing, messages),
            ])}
        />
      )}
      <Title order={3} size="h4" mt="lg">
        Codes without a mapping
      </Title>
      <Text size="xs" c="dimmed">
        Last {HEALTH_DAYS} days. Add them to the patient classes or discharge dispositions in the feed's settings, then
        replay.
      </Text>
      {health.codes.length === 0 ? (
        <Text mt="xs">Every code is mapped.</Text>
      ) : (
        <Rows
          label="Codes without a mapping"
          head={['Code', 'Messages']}
          rows={health.codes.map(({ field, code, messages }) => [`${code} (${field})`, many(messages)])}
        />
      )}
    </>
  );
};

/** The health of one feed: silence, rate, delay, missing fields, and codes that its settings don't map. */
export const HealthDrawer = ({ feed, close }: { feed: Feed; close: () => void }) => {
  useReturnFocus();
  useBack(close);
  const { data, error, refetch } = useQuery(feedHealthQuery(feed.id));
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={520}
      title={`Health of ${feed.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error && <Failed what="Couldn't load the health of this feed." error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} />}
      {data && <Health health={data} />}
    </Drawer>
  );
};
