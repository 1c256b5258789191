import { Anchor, Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { ManagementStatus } from '#contract/management-status.ts';
import type { PatientResults } from '#contract/patients.ts';
import { ApiError } from '../api/error.ts';
import { NothingMatches } from '../filters/nothing-matches.tsx';
import type { ListFilters } from '../filters/use-filters.ts';
import { keptScroll } from '../session/kept-scroll.ts';
import { useDensity } from '../ui/density.ts';
import { formatTime } from '../ui/format/date.ts';
import { IconCircleCheck, IconInbox } from '../ui/icons.ts';
import { Pager } from '../ui/pager.tsx';
import { Empty, Failed, NoPermission, RowsLoading } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import type { Counts } from './counts.ts';
import classes from './inbox.module.css';
import { type InboxSearch, statusOf } from './inbox-search.ts';
import { PingRow } from './ping-row.tsx';
import type { useLiveInbox } from './use-live-inbox.ts';
import type { Unsaved } from './use-status-changes.ts';

const scrollList = keptScroll('list');

interface Props {
  search: InboxSearch;
  filters: ListFilters;
  page: UseQueryResult<PatientResults>;
  counts: Counts | undefined;
  live: ReturnType<typeof useLiveInbox>;
  unsaved: ReadonlyMap<string, Unsaved>;
  open: (id: string) => void;
  move: (by: number) => void;
  choose: (search: Partial<InboxSearch>) => void;
}

const NOTHING: Record<ManagementStatus, string> = {
  NEW: 'No unresolved pings.',
  IN_PROGRESS: 'No pings are in progress.',
  RESOLVED: 'No pings have been resolved yet.',
  DISMISSED: 'No pings have been dismissed.',
};

const EmptyList = ({ search, filters, counts, choose }: Pick<Props, 'search' | 'filters' | 'counts' | 'choose'>) => {
  const status = statusOf(search);
  if (filters.count > 0) return <NothingMatches what="pings" filters={filters} />;
  if (search.group)
    return (
      <Empty
        title="No pings match 1 filter."
        action={
          <Button size="xs" variant="default" onClick={() => choose({ group: undefined })}>
            Show all groups
          </Button>
        }
      >
        Only one group is shown; the others may have some.
      </Empty>
    );
  if (status === 'NEW' && counts && counts.open + counts.resolved > 0) {
    const underway = counts.new === null ? 0 : counts.open - counts.new;
    return (
      <Empty icon={<IconCircleCheck size={24} stroke={1.75} aria-hidden />} title="Every ping has been taken up.">
        {[underway ? `${underway} in progress` : null, `${counts.resolved} resolved or dismissed`]
          .filter(Boolean)
          .join(', ')}
        . New ones appear here by themselves.
      </Empty>
    );
  }
  return (
    <Empty icon={<IconInbox size={24} stroke={1.75} aria-hidden />} title={NOTHING[status]}>
      {status === 'NEW' &&
        'When a hospital or facility reports an event of somebody on your rosters, it appears here by itself.'}
    </Empty>
  );
};

const href = (search: InboxSearch, sel: string): string =>
  `?${new URLSearchParams(Object.entries({ ...search, sel }).map(([key, value]) => [key, String(value)]))}`;

/** The rows of a page, the bar of what waits, and the pages; or why there are none. */
export const PingList = ({ search, filters, page, counts, live, unsaved, open, move, choose }: Props) => {
  const now = useNow();
  const density = useDensity();
  const [focused, setFocused] = useState<string | null>(null);
  const { data, error, isFetching } = page;
  const retry = (): void => void page.refetch();
  if (!data) {
    if (error instanceof ApiError && error.status === 403) return <NoPermission what="pings" />;
    if (error) return <Failed what="The pings could not be loaded." error={error} retry={retry} />;
    return (
      <div className={classes.list}>
        <RowsLoading rows={8} height={density === 'compact' ? 36 : 77} retry={retry} />
      </div>
    );
  }
  const rows = data.patients;
  const entry = [focused, search.sel].find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id;
  const arrows = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(by);
  };
  const first = ((search.p ?? 1) - 1) * filters.criteria.size + 1;
  return (
    <>
      <div ref={scrollList} className={classes.list} data-scroller="list">
        {isFetching && <div className={classes.progress} />}
        {error && (
          <Failed
            what="The list could not be renewed."
            error={error}
            safe={`It is as of ${formatTime(new Date(page.dataUpdatedAt).toISOString())}.`}
            retry={retry}
          />
        )}
        {/* The strip is always there, so that what arrives does not push the rows down. */}
        {live.waiting > 0 || live.moved ? (
          <button type="button" className={classes.bar} onClick={() => void live.show()}>
            {live.waiting > 0
              ? `${live.waiting} new ${live.waiting === 1 ? 'ping' : 'pings'} — show`
              : 'The list has changed — show'}
          </button>
        ) : (
          <div className={classes.asOf}>As of {formatTime(new Date(page.dataUpdatedAt).toISOString())}</div>
        )}
        {rows.length === 0 ? (
          <EmptyList search={search} filters={filters} counts={counts} choose={choose} />
        ) : (
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
                fresh={live.fresh.has(patient.id)}
                updatedAt={live.updated.get(patient.id)}
                unsaved={unsaved.has(patient.id)}
                open={open}
              />
            ))}
          </ul>
        )}
      </div>
      {rows.length > 0 && (
        <div className={classes.foot}>
          <span>
            {first}–{first + rows.length - 1} of {Math.max(data.total, first + rows.length - 1)}
          </span>
          <Pager
            page={search.p ?? 1}
            pages={data.numPages}
            go={(p) => choose({ p: p > 1 ? p : undefined, sel: undefined })}
          />
        </div>
      )}
      {rows.length === 0 && (search.p ?? 1) > 1 && (
        <Anchor component="button" p="md" onClick={() => choose({ p: undefined })}>
          Back to the first page
        </Anchor>
      )}
    </>
  );
};
