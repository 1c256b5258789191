import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Feed, UnknownSender } from '#contract/feeds.ts';
import { AddButton } from '../admin/add-button.tsx';
import { PagedList } from '../admin/paging/paged-list.tsx';
import { usePagesOf } from '../admin/paging/use-pages-of.ts';
import { useEditing } from '../admin/use-editing.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconPlayerPause } from '../ui/icons.ts';
import { NamesCell } from '../ui/names-cell.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { UnreadDates } from './date-order.tsx';
import { ReplayButton } from './feed-actions.tsx';
import { feedsQuery } from './feed-queries.ts';
import { problemWords, rateWords, stateLook, withinWords } from './health-words.ts';
import { SenderApproval } from './sender-approval.tsx';
import { UnknownSenders } from './unknown-senders.tsx';

const loadDrawers = () => loadChunk('feed-settings', () => import('./feed-settings-drawer.tsx'));
const FeedSettingsDrawer = lazy(() => loadDrawers().then((file) => ({ default: file.FeedSettingsDrawer })));
const AddFeedDrawer = lazy(() => loadDrawers().then((file) => ({ default: file.AddFeedDrawer })));
const AddFhirFeedDrawer = lazy(() => loadDrawers().then((file) => ({ default: file.AddFhirFeedDrawer })));

const loadDocumentDrawers = () => loadChunk('document-feeds', () => import('./document-feed-drawers.tsx'));
const DocumentFeedDrawer = lazy(() => loadDocumentDrawers().then((file) => ({ default: file.DocumentFeedDrawer })));
const AddDocumentFeedDrawer = lazy(() =>
  loadDocumentDrawers().then((file) => ({ default: file.AddDocumentFeedDrawer })),
);

const loadHealth = () => loadChunk('feed-health', () => import('./health-drawer.tsx'));
const HealthDrawer = lazy(() => loadHealth().then((file) => ({ default: file.HealthDrawer })));

/** The health of a feed in a few words, and the way to the rest. */
const Health = ({ feed, show }: { feed: Feed; show: () => void }) => {
  const { state, delayMinutes } = feed.health;
  const { label, ...look } = stateLook(feed.health);
  const problems = problemWords(feed.health);
  return (
    <>
      <Group gap="xs">
        <StatusBadge {...look}>{label}</StatusBadge>
        <Button size="compact-xs" variant="default" aria-label={`Health of ${feed.name}`} onClick={show}>
          Details
        </Button>
      </Group>
      {state !== 'UNHEARD' && state !== 'WAITING' && (
        <Text size="xs" c="dimmed" mt={4}>
          {rateWords(feed.health)}
          {delayMinutes === null ? '' : ` · Half arrive ${withinWords(delayMinutes)}`}
        </Text>
      )}
      {problems.length > 0 && (
        <Text size="xs" mt={4}>
          {problems.join(' · ')}
        </Text>
      )}
    </>
  );
};

const Quarantined = ({ count }: { count: number }) =>
  count === 0 ? (
    0
  ) : (
    <StatusBadge color="caution" Icon={IconAlertTriangle}>
      {count.toLocaleString('en-US')}
    </StatusBadge>
  );

/** Systems that post are known by their tokens. */
const senderOf = ({ kind, sendingApplication, sendingFacility }: Feed): string =>
  kind === 'MLLP' ? [sendingApplication, sendingFacility].filter(Boolean).join(' / ') : typeOf(kind);
const typeOf = (kind: Feed['kind']): string => (kind === 'CCDA' ? 'Documents' : kind);

const FeedName = ({ feed, done }: { feed: Feed; done: (message: string) => void }) => {
  const { name, organizationName, pausedAt } = feed;
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
        {[organizationName, senderOf(feed)].filter(Boolean).join(' · ')}
      </Text>
    </>
  );
};

const columns = (
  edit: (feed: Feed) => void,
  showHealth: (feed: Feed) => void,
  done: (message: string) => void,
): TableColumn<Feed>[] => [
  ['Feed', (feed) => <FeedName feed={feed} done={done} />],
  ['Health', (feed) => <Health feed={feed} show={() => showHealth(feed)} />],
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
  ['Last message', ({ lastMessageAt }) => (lastMessageAt ? <DateTime value={lastMessageAt} /> : 'None yet')],
  ['Received today', ({ receivedToday }) => receivedToday.toLocaleString('en-US'), 'right'],
  [
    'Facilities',
    ({ facilities }) => (
      <NamesCell
        names={facilities.map(({ identifier, groupName }) => `${groupName} (${identifier})`)}
        one="facility"
        many="facilities"
      />
    ),
  ],
  ['Type', ({ kind }) => typeOf(kind)],
  [
    'Settings',
    (feed) => (
      <>
        <Button
          size="xs"
          variant="default"
          aria-label={`${feed.kind === 'CCDA' ? 'Tokens' : 'Settings'} for ${feed.name}`}
          onClick={() => edit(feed)}
        >
          {feed.kind === 'CCDA' ? 'Tokens' : 'Settings'}
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

const textOf = ({ name, organizationName, sendingFacility, facilities }: Feed): string =>
  [name, organizationName, sendingFacility, ...facilities.map(({ groupName }) => groupName)].join(' ');

/** What somebody has to do something about comes first: senders to approve, then feeds that are silent. */
const urgency = ({ waiting, health }: Feed): number =>
  waiting ? 0 : health.silentSince || health.silentFacilities.length > 0 ? 1 : 2;

const Feeds = ({ feeds, columns: shownColumns }: { feeds: readonly Feed[]; columns: TableColumn<Feed>[] }) => {
  const { shown, total, paging } = usePagesOf(
    feeds.toSorted((a, b) => urgency(a) - urgency(b)),
    textOf,
  );
  return (
    <PagedList placeholder="Feed, sender or facility" paging={paging} total={total} one="feed" many="feeds">
      <CardTable label="Feeds" rows={shown} columns={shownColumns} />
    </PagedList>
  );
};

/** The open drawer: the settings of a feed, or the form of a new one, for an unknown sender or from scratch. */
type OpenDrawer = { feed: Feed } | { sender: UnknownSender | null } | { adds: 'documents' | 'fhir' };

/** The feeds with their last message and their quarantine, and the senders that belong to no feed. */
export const FeedTable = () => {
  const client = useQueryClient();
  const { data, error, dataUpdatedAt, refetch } = useQuery(feedsQuery);
  const { open, message, showMessage, dismissMessage, edit, close, saved } = useEditing<OpenDrawer>();
  const [healthOf, setHealthOf] = useState<Feed | null>(null);
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
  const otherButtons = (['documents', 'fhir'] as const).map((adds) => (
    <Button key={adds} variant="default" onClick={() => edit({ adds })}>
      {adds === 'fhir' ? 'Add FHIR feed' : 'Add document feed'}
    </Button>
  ));
  return (
    <>
      <SavedBanner message={message} close={dismissMessage} />
      {error && <Failed what="Couldn't refresh feeds." error={error} retry={() => void refetch()} />}
      {data.length === 0 ? (
        <Empty
          title="No feeds yet."
          action={
            <Group gap="sm">
              {otherButtons}
              {addButton}
            </Group>
          }
        >
          A feed defines who sends messages, and for which facilities.
        </Empty>
      ) : (
        <>
          <Group justify="space-between" gap="sm" mb="xs">
            <Text size="xs" c="dimmed">
              Updated {formatDateTime(new Date(dataUpdatedAt).toISOString())}
            </Text>
            <Group gap="sm">
              {otherButtons}
              {addButton}
            </Group>
          </Group>
          <Feeds feeds={data} columns={columns((feed) => edit({ feed }), setHealthOf, replayed)} />
        </>
      )}
      <UnknownSenders add={(sender) => edit({ sender })} />
      {healthOf && (
        <Suspense>
          <HealthDrawer key={healthOf.id} feed={healthOf} close={() => setHealthOf(null)} />
        </Suspense>
      )}
      {open && (
        <Suspense>
          {'adds' in open ? (
            open.adds === 'fhir' ? (
              <AddFhirFeedDrawer close={close} saved={saved} />
            ) : (
              <AddDocumentFeedDrawer close={close} saved={saved} />
            )
          ) : 'feed' in open && open.feed.kind === 'CCDA' ? (
            <DocumentFeedDrawer key={open.feed.id} feed={open.feed} close={close} saved={saved} />
          ) : 'feed' in open ? (
            <FeedSettingsDrawer key={open.feed.id} feed={open.feed} close={close} saved={saved} />
          ) : (
            <AddFeedDrawer sender={open.sender} close={close} saved={saved} />
          )}
        </Suspense>
      )}
    </>
  );
};
