import type { UseQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { MANAGEMENT_STATUS_LABELS } from '#contract/management-status.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import { ApiError } from '../api/error.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { ListState } from '../lists/list-state.tsx';
import { useSimilarNames } from '../patient/use-similar-names.ts';
import { keptScroll } from '../session/kept-scroll.ts';
import { useDensity } from '../ui/density.ts';
import { Failed, NoPermission, RowsLoading } from '../ui/states.tsx';
import { counted } from '../ui/use-announced.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import type { Counts } from './counts.ts';
import classes from './inbox.module.css';
import { type InboxSearch, statusOf } from './inbox-search.ts';
import { PingRow } from './ping-row.tsx';
import type { Unsaved } from './status-change.ts';
import type { useLiveInbox } from './use-live-inbox.ts';

const scrollList = keptScroll('list');

interface Props {
  search: InboxSearch;
  filters: ListFilters;
  page: UseQueryResult<PatientResults>;
  counts: Counts | undefined;
  live: ReturnType<typeof useLiveInbox>;
  unsaved: ReadonlyMap<string, Unsaved>;
  /** The rows that are selected for a change of all of them; null if the user may change none. */
  picked: ReadonlySet<string> | null;
  toggle: (id: string) => void;
  open: (id: string) => void;
  move: (by: number) => void;
  /** The parts that only a printed list has; null until they are loaded. */
  print: typeof import('../lists/print/print-head.tsx') | null;
  /** How many rows the list has without filters; null while unknown. */
  all: number | null;
}

const loadEmptyList = () => import('./empty-list.tsx').then((file) => file.EmptyList);
const NO_ROWS: readonly never[] = [];

const href = (search: InboxSearch, sel: string): string =>
  `?${new URLSearchParams(Object.entries({ ...search, sel }).map(([key, value]) => [key, String(value)]))}`;

type RowsProps = Pick<Props, 'search' | 'live' | 'unsaved' | 'picked' | 'toggle' | 'open' | 'move'> & {
  rows: readonly Patient[];
  similar: ReadonlySet<string>;
};

/** The rows, one of which is in the tab order; the arrow keys move on from it. */
const Rows = ({ rows, search, live, unsaved, picked, toggle, open, move, similar }: RowsProps) => {
  const now = useNow();
  const density = useDensity();
  const [focused, setFocused] = useState<string | null>(null);
  const entry = [focused, search.sel].find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id;
  const arrows = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(by);
  };
  return (
    <ul
      // Safari takes the role from lists without markers.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      aria-label="Pings"
      data-density={density}
      onKeyDown={arrows}
      onFocus={({ target }) => setFocused(target.id.slice('ping-'.length))}
    >
      {rows.map((patient) => (
        <PingRow
          key={patient.id}
          patient={patient}
          now={now}
          href={href(search, patient.id)}
          selected={patient.id === search.sel}
          tabbable={patient.id === entry}
          justArrived={live.justArrived.has(patient.id)}
          updatedAt={live.updated.get(patient.id)}
          unsaved={unsaved.has(patient.id)}
          similar={similar.has(patient.id)}
          picked={picked && picked.has(patient.id)}
          pick={toggle}
          open={open}
        />
      ))}
    </ul>
  );
};

/** The rows of a page, the bar for what waits, and the pager; or the reason why there are no rows. */
export const PingList = ({
  search,
  filters,
  page,
  counts,
  live,
  unsaved,
  picked,
  toggle,
  open,
  move,
  print,
  all,
}: Props) => {
  const density = useDensity();
  const { data, error } = page;
  const EmptyList = useLoaded(loadEmptyList, data?.total === 0);
  const similar = useSimilarNames(data?.patients ?? NO_ROWS, page.dataUpdatedAt);
  const retry = (): void => void page.refetch();
  const loading = <RowsLoading rows={8} height={density === 'compact' ? 36 : 77} retry={retry} />;
  if (!data) {
    if (error instanceof ApiError && error.status === 403) return <NoPermission what="pings" />;
    if (error) return <Failed what="Couldn't load pings." error={error} retry={retry} />;
    return <div className={classes.list}>{loading}</div>;
  }
  const rows = data.patients;
  const { waiting, changed } = live;
  const news = waiting > 0 ? counted(waiting, 'new ping', 'new pings') : changed ? 'List updated' : null;
  return (
    <>
      <div ref={scrollList} className={classes.list} data-scroller="list">
        {print && (
          <>
            <print.PrintNotice />
            <print.PrintHead
              title={`Pings: ${MANAGEMENT_STATUS_LABELS[statusOf(search)]}`}
              one="ping"
              many="pings"
              filters={filters}
              shown={rows}
              total={data.total}
              all={all}
              asOf={page.dataUpdatedAt}
            />
          </>
        )}
        <ListState page={page} news={news} show={() => void live.show()} />
        {data.total === 0 ? (
          EmptyList && <EmptyList search={search} filters={filters} counts={counts} />
        ) : rows.length === 0 ? (
          // `useLastPage` is loading another page.
          loading
        ) : (
          <Rows {...{ rows, search, live, unsaved, picked, toggle, open, move, similar }} />
        )}
      </div>
      {rows.length > 0 && <ListFoot filters={filters} rows={rows.length} total={data.total} pages={data.numPages} />}
    </>
  );
};
