import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { ApiError } from '../api/error.ts';
import { noFilters } from '../filters/criteria.ts';
import { FilterSide } from '../filters/filter-side.tsx';
import { useFilterPanel } from '../filters/use-filter-panel.ts';
import { isSubset, type ListFilters, type ListKind, useFilters } from '../filters/use-filters.ts';
import { totalOf } from '../lists/list-part.ts';
import { ListState } from '../lists/list-state.tsx';
import { NobodyListed } from '../lists/nobody-listed.tsx';
import { NothingMatches } from '../lists/nothing-matches.tsx';
import { useUnfilteredCount } from '../lists/unfiltered-count.ts';
import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { SavedFilterTools } from '../saved-filters/saved-filter-tools.tsx';
import { useListKeys } from '../saved-filters/use-list-keys.ts';
import { useCommands } from '../ui/commands.ts';
import { formatTime } from '../ui/format/date.ts';
import { IconActivity } from '../ui/icons.ts';
import { Empty, Failed, NoPermission, RowsLoading } from '../ui/states.tsx';
import { useAnnounced } from '../ui/use-announced.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './event-feed.module.css';
import { EventList } from './event-list.tsx';
import { FeedHeader } from './feed-header.tsx';
import { eventsQuery, rowsOf } from './feed-queries.ts';
import { isFeedPaused, type LiveFeed, useLiveFeed } from './use-live-feed.ts';

const PAGE_SIZE = 20;
const KIND: ListKind = {
  module: 'EVENT_FEED',
  context: 'EVENTS',
  defaults: noFilters(PAGE_SIZE),
  defaultName: 'All events',
};

/** Returns what to ask for. A feed is always newest first, also when a name is searched or a filter stores another order. */
const parametersOf = (filters: ListFilters, facetSize: number): SearchParametersInput => ({
  ...filters.parameters(facetSize),
  sortBy: ['PING_ENCOUNTER_DATE'],
  sortOrder: 'DESC',
  pageNumber: 1,
  pageSize: PAGE_SIZE,
});

const useFeed = (parameters: SearchParametersInput, enabled: boolean) =>
  useInfiniteQuery({
    ...eventsQuery(parameters),
    enabled,
    placeholderData: (previous) => previous,
    refetchOnMount: () => !isFeedPaused(),
  });

interface ResultsProps {
  feed: ReturnType<typeof useFeed>;
  filters: ListFilters;
  live: LiveFeed;
}

/** Why there is no event: the team has no patients, none passes the filters, or nothing was reported yet. */
const NoRows = ({ filters }: Pick<ResultsProps, 'filters'>) => {
  const patients = useUnfilteredCount(true);
  if (patients === 0) return <NobodyListed>What happens to them appears here automatically.</NobodyListed>;
  if (isSubset(filters)) return <NothingMatches what="events" filters={filters} />;
  return (
    <Empty icon={<IconActivity size={24} stroke={1.75} aria-hidden />} title="No events yet.">
      Events appear here when a facility reports something about a patient on this team's lists.
    </Empty>
  );
};

/** The feed in every state: loading, failed, no events at all, no match, and rows. */
const FeedResults = ({ feed, filters, live }: ResultsProps) => {
  const box = useRef<HTMLDivElement>(null);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = feed;
  const retry = (): void => void refetch();
  if (!data) {
    if (error instanceof ApiError && error.status === 403) return <NoPermission what="the event feed" />;
    if (error) return <Failed what="Couldn't load events." error={error} retry={retry} />;
    return <RowsLoading rows={8} height={56} retry={retry} />;
  }
  const rows = rowsOf(data);
  const isCounting = data.pages[0]?.isCounting;
  const show = (): void => {
    live.show();
    box.current?.scrollTo({ top: 0 });
  };
  return (
    <div ref={box} className={classes.results}>
      <ListState
        page={feed}
        isCounting={isCounting}
        news={live.waiting > 0 ? counted(live.waiting, 'new event', 'new events') : null}
        note={live.pausedAt === null ? undefined : `Live updates paused at ${formatTime(live.pausedAt)}`}
        show={show}
      />
      {rows.length > 0 && (
        <EventList
          rows={rows}
          asOf={feed.dataUpdatedAt}
          older={hasNextPage ? { load: () => void fetchNextPage(), isLoading: isFetchingNextPage } : null}
        />
      )}
      {rows.length === 0 && isCounting && <RowsLoading rows={8} height={56} retry={retry} />}
      {rows.length === 0 && !isCounting && <NoRows filters={filters} />}
    </div>
  );
};

/** Everything that happens to the team's patients, newest first, live. */
export const EventFeedPage = () => {
  useTitle('Event feed');
  const filters = useFilters(KIND);
  const panel = useFilterPanel(filters, true);
  const [dialog, openDialog] = useState<FilterDialog>(null);
  const name = useRef<HTMLInputElement>(null);
  const parameters = parametersOf(filters, panel.facetSize);
  const feed = useFeed(parameters, filters.ready);
  const live = useLiveFeed(parameters);
  const first = feed.data?.pages[0];
  const total = feed.isPlaceholderData ? null : totalOf(first);
  useAnnounced({ data: first, isPlaceholderData: feed.isPlaceholderData }, 'event', 'events');
  useListKeys(name, panel, openDialog);
  useCommands({ 'feed.pause': live.togglePause });
  return (
    <div className={classes.page}>
      {panel.open && (
        <FilterSide
          filters={filters}
          context="EVENTS"
          counts={first?.isCounting ? undefined : first?.facets}
          failed={!feed.data && feed.error !== null}
          more={panel.more}
          results={total === null ? null : counted(total, 'event', 'events')}
          focus={panel.focus}
          close={panel.close}
        />
      )}
      <div className={classes.main}>
        <FeedHeader
          filters={filters}
          panel={panel}
          live={live}
          total={total}
          name={name}
          refreshing={feed.isRefetching}
          refresh={() => void feed.refetch()}
          openDialog={openDialog}
        />
        <SavedFilterTools
          filters={filters}
          context="EVENTS"
          module={KIND.module}
          total={total}
          dialog={dialog}
          openDialog={openDialog}
        />
        <FeedResults feed={feed} filters={filters} live={live} />
      </div>
    </div>
  );
};
