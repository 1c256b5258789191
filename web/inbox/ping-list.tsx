import type { UseQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { INBOX_LISTS, type InboxListCode } from '#contract/inbox-lists.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import { ApiError } from '../api/error.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { totalOf } from '../lists/list-part.ts';
import { ListState } from '../lists/list-state.tsx';
import { useSimilarNames } from '../patient/use-similar-names.ts';
import { keptScroll } from '../session/kept-scroll.ts';
import { useSession } from '../session/session.ts';
import { useDensity } from '../ui/density.ts';
import { isFocusFree } from '../ui/focus-free.ts';
import { Failed, NoPermission, RowsLoading } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useNow } from '../ui/use-now.ts';
import classes from './inbox.module.css';
import type { InboxSearch } from './inbox-search.ts';
import { PingRow } from './ping-row.tsx';
import type { Unsaved } from './status-change.ts';
import type { useLiveInbox } from './use-live-inbox.ts';
import type { Picks } from './use-picks.ts';

const scrollList = keptScroll('list');

interface Props {
  code: InboxListCode;
  search: InboxSearch;
  filters: ListFilters;
  page: UseQueryResult<PatientResults>;
  /** All rows of the list while they are printed, instead of those of the page. */
  printed: readonly Patient[] | null;
  /** Those of the page, and before them one that an address has named. */
  rows: readonly Patient[];
  live: ReturnType<typeof useLiveInbox>;
  unsaved: ReadonlyMap<string, Unsaved>;
  /** The rows that are selected for a change of all of them; null if the user may change none. */
  picked: Picks | null;
  toggle: (row: Patient) => void;
  open: (id: string) => void;
  move: (by: number) => void;
  /** The parts that only a printed list has; null until they are loaded. */
  print: typeof import('../lists/print/print-head.tsx') | null;
  /** How many rows the list has without filters; null while unknown. */
  all: number | null;
}

const later = () => import('./later-parts.ts');
const loadWorkPhrase = async () => (await later()).loadWorkPhrase();
const loadEmptyList = async () => (await later()).loadEmptyList();

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
  const { user } = useSession();
  const phrase = useLoaded(loadWorkPhrase, true);
  const [focused, setFocused] = useState<string | null>(null);
  const entry = [focused, search.sel].find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id;
  const place = useRef(0);
  useEffect(() => {
    const at = rows.findIndex(({ id }) => id === focused);
    if (at >= 0) place.current = at;
    // The row that had the focus has left the list: the one in its place gets it.
    else if (focused && isFocusFree()) {
      const next = rows[place.current] ?? rows.at(-1);
      document.getElementById(`ping-${next?.id}`)?.focus({ preventScroll: true });
    }
  }, [rows, focused]);
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
          work={phrase?.(patient.card, user.id) ?? null}
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
  code,
  search,
  filters,
  page,
  printed,
  rows: pageRows,
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
  const EmptyList = useLoaded(loadEmptyList, totalOf(data) === 0);
  const rows = printed ?? pageRows;
  const similar = useSimilarNames(rows, page.dataUpdatedAt);
  const retry = (): void => void page.refetch();
  const loading = <RowsLoading rows={8} height={density === 'compact' ? 36 : 77} retry={retry} />;
  if (!data) {
    if (error instanceof ApiError && error.status === 403) return <NoPermission what="pings" />;
    if (error) return <Failed what="Couldn't load pings." error={error} retry={retry} />;
    return <div className={classes.list}>{loading}</div>;
  }
  const { waiting, changed } = live;
  const news = waiting > 0 ? counted(waiting, 'new ping', 'new pings') : changed ? 'List updated' : null;
  return (
    <>
      <div ref={scrollList} className={classes.list} data-scroller="list">
        {print && (
          <>
            <print.PrintNotice />
            <print.PrintHead
              title={`Pings: ${INBOX_LISTS[code].label}`}
              one="ping"
              many="pings"
              filters={filters}
              shown={rows}
              total={data.total}
              all={all}
              whole={printed !== null}
              asOf={page.dataUpdatedAt}
            />
          </>
        )}
        <ListState page={page} isCounting={data.isCounting} news={news} show={() => void live.show()} />
        {totalOf(data) === 0 && rows.length === 0 ? (
          EmptyList && <EmptyList code={code} filters={filters} />
        ) : rows.length === 0 ? (
          // `useLastPage` is loading another page, or the server the list.
          loading
        ) : (
          <Rows {...{ rows, search, live, unsaved, picked, toggle, open, move, similar }} />
        )}
      </div>
      {rows.length > 0 && (
        <ListFoot
          filters={filters}
          rows={data.patients.length}
          total={data.total}
          isCounting={data.isCounting}
          pages={data.numPages}
          isLoading={page.isPlaceholderData}
        />
      )}
    </>
  );
};
