import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isOpen } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { useIsLive } from '../api/use-live.ts';
import type { Asked } from '../filters/filter-bar.tsx';
import { counted, useAnnounced } from '../filters/use-announced.ts';
import { useFilters } from '../filters/use-filters.ts';
import { useLastPage } from '../filters/use-last-page.ts';
import { usePanel } from '../filters/use-panel.ts';
import { hasDraft } from '../session/drafts.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { useDensity } from '../ui/density.ts';
import { Divider } from '../ui/divider.tsx';
import { IconArrowLeft } from '../ui/icons.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useTitle } from '../ui/use-title.ts';
import { useWidth } from '../ui/use-width.ts';
import { countOf, countsQuery } from './counts.ts';
import classes from './inbox.module.css';
import { pingsQuery } from './inbox-queries.ts';
import { type InboxSearch, inboxKind, statusOf } from './inbox-search.ts';
import { ListHeader } from './list-header.tsx';
import { NothingOpen } from './nothing-open.tsx';
import { PingList } from './ping-list.tsx';
import { useLiveInbox } from './use-live-inbox.ts';
import { type Choice, draftOf, useStatusChanges } from './use-status-changes.ts';

const loadPanel = () => import('../filters/filter-side.tsx').then((file) => file.FilterSide);
const loadTools = () => import('../filters/saved-filter-tools.tsx').then((file) => file.SavedFilterTools);
const loadPrint = () => import('../print/print-head.tsx');
const loadDetail = () => import('./ping-detail.tsx').then((file) => file.PingDetail);

/** Per cent of the width (ux.md, "Split pane"). */
const LIST_SHARE = 44;

/** What stands open at the detail's actions. */
export type Panel = 'resolve' | 'menu' | null;

const focusRow = (id: string | undefined): void => {
  // After the frame in which the row may have become visible again.
  requestAnimationFrame(() => {
    const row = id ? document.getElementById(`ping-${id}`) : null;
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  });
};

/** The status of the list that parameters ask for. */
const listed = (parameters: SearchParametersInput | undefined): string | undefined =>
  parameters?.userDefinedFacetPreferences?.preferenceMap?.managementStatus?.[0]?.value;

const useInbox = () => {
  const status = statusOf(useSearch({ strict: false }));
  const kind = useMemo(() => inboxKind(status), [status]);
  const filters = useFilters(kind);
  const search = filters.search as InboxSearch;
  const panel = usePanel(filters, false);
  const key = JSON.stringify(filters.parameters(panel.facetSize));
  const list = useMemo(() => ({ status, parameters: JSON.parse(key) as SearchParametersInput }), [status, key]);
  const page = useQuery({
    ...pingsQuery(list.parameters),
    enabled: filters.ready,
    // Another page, order or filter of the same list may stand in until it comes; another list may not.
    placeholderData: (previous, query) =>
      listed(query?.queryKey[1] as SearchParametersInput | undefined) === status ? previous : undefined,
  });
  /** Changes the state in the URL; moving through rows does not fill the history. */
  const choose = (next: Partial<InboxSearch>, replace = false): void => filters.patch(next, replace);
  return { search, filters, panel, list, page, choose };
};

/** The inbox of the selected team. */
export const InboxPage = () => {
  const { can } = useSession();
  const width = useWidth();
  const compact = useDensity() === 'compact';
  const { search, filters, panel: filterPanel, list: asked, page, choose } = useInbox();
  const [tool, ask] = useState<Asked>(null);
  const { data: counts } = useQuery(countsQuery);
  const changes = useStatusChanges(asked);
  const live = useLiveInbox(asked, filters.count > 0);
  const [panel, setPanel] = useState<Panel>(() => (hasDraft(draftOf(search.sel)) ? 'resolve' : null));
  const [share, setShare] = useState(LIST_SHARE);
  const detail = useRef<HTMLElement>(null);
  const rows = page.data?.patients ?? [];
  const { sel } = search;
  useTitle(counts?.new ? `Pings (${counts.new} new)` : 'Pings');

  const PingDetail = useLoaded(loadDetail, sel !== undefined, useIsLive());
  const FilterSide = useLoaded(loadPanel, filterPanel.open, false);
  const SavedFilterTools = useLoaded(loadTools, tool !== null || filters.saved !== null || filters.missing, false);
  const print = useLoaded(loadPrint, false, useIsLive());
  useAnnounced(page, 'ping', 'pings');
  useLastPage(page, filters);

  const { refetch } = page;
  const emptied = page.data !== undefined && rows.length === 0 && page.data.total > 0;
  useEffect(() => {
    if (emptied) void refetch();
  }, [emptied, refetch]);

  const select = (id: string | undefined, replace = true): void => {
    setPanel(null);
    if (id) live.seen(id);
    choose({ sel: id }, replace);
  };
  /** Opens a row; one that is open already hands the focus on to its detail. */
  const open = (id: string): void => {
    if (id === sel || width !== 'wide') requestAnimationFrame(() => detail.current?.focus());
    if (id !== sel) select(id, width !== 'narrow');
  };
  const close = (): void => {
    const from = sel;
    select(undefined);
    focusRow(from);
  };
  /** The row that has the focus, or else the one that is open. */
  const current = (): string | undefined => {
    const focused = document.activeElement?.id;
    return rows.find(({ id }) => `ping-${id}` === focused)?.id ?? rows.find(({ id }) => id === sel)?.id;
  };
  const move = (by: number): void => {
    const at = rows.findIndex(({ id }) => id === current());
    const next = rows[at < 0 ? 0 : at + by];
    if (!next) return;
    focusRow(next.id);
    if (width === 'wide' || sel) select(next.id);
  };
  const act = (what: Panel): void => {
    const id = current() ?? sel;
    if (!id || !can('canManagePings')) return;
    if (id !== sel) select(id);
    setPanel(what);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: (event) => {
      if (event.target !== document.body) return;
      const id = current();
      if (id) open(id);
    },
    e: (event) => {
      event.preventDefault();
      act('resolve');
    },
    s: (event) => {
      event.preventDefault();
      if (event.shiftKey) ask('save');
      else act('menu');
    },
    f: (event) => {
      event.preventDefault();
      filterPanel.find('finder');
    },
    '/': (event) => {
      event.preventDefault();
      filterPanel.find('name');
    },
    z: () => changes.undo(),
    Escape: () => {
      if (panel) setPanel(null);
      else if (sel) close();
    },
  });

  const send = (patient: Patient, ping: Ping, choice: Choice): void => {
    setPanel(null);
    const at = rows.findIndex(({ id }) => id === patient.id);
    const leaves =
      at >= 0 &&
      ping.eventIdentifier === patient.currentPing?.eventIdentifier &&
      isOpen(choice.status) !== isOpen(asked.status);
    void changes.send(patient, ping, choice);
    if (!leaves) return;
    const next = rows[at + 1] ?? rows[at - 1];
    select(width === 'wide' ? next?.id : undefined);
    focusRow(next?.id);
    const left = (page.data?.total ?? rows.length) - 1;
    announce(`Done. ${patient.lastName}, ${patient.firstName}. ${left} left.`);
  };

  const wide = width === 'wide';
  // Compact: while no ping is open, the list has the whole width, and each row one line.
  const beside = wide && (!compact || sel !== undefined);
  const list = (
    <div
      className={`${classes.pane} ${width === 'narrow' && sel ? classes.hidden : ''}`}
      style={beside ? { flex: `0 0 ${share}%` } : undefined}
    >
      <div className={classes.headBox}>
        <ListHeader
          search={search}
          filters={filters}
          panel={filterPanel}
          ask={ask}
          counts={counts}
          total={page.data?.total ?? null}
          refreshing={page.isRefetching}
          choose={choose}
          refresh={() => void live.show()}
        />
        {SavedFilterTools && (
          <SavedFilterTools
            filters={filters}
            context="PINGS"
            module="PING_SEARCH"
            total={page.data?.total ?? null}
            asked={tool}
            ask={ask}
          />
        )}
      </div>
      <PingList
        search={search}
        filters={filters}
        page={page}
        counts={counts}
        live={live}
        unsaved={changes.unsaved}
        open={open}
        move={move}
        print={print}
        all={countOf(asked.status, counts)}
      />
    </div>
  );
  const story = sel && PingDetail && (
    <PingDetail
      key={sel}
      id={sel}
      row={rows.find(({ id }) => id === sel)}
      panel={panel}
      setPanel={setPanel}
      unsaved={changes.unsaved.get(sel) ?? null}
      reload={() => changes.reload(sel)}
      send={send}
    />
  );
  const side = filterPanel.open && FilterSide && (
    <FilterSide
      filters={filters}
      context="PINGS"
      withName
      counts={page.data?.facets}
      more={filterPanel.more}
      results={page.data ? counted(page.data.total, 'ping', 'pings') : null}
      asked={filterPanel.asked}
      close={filterPanel.close}
    />
  );
  // One tree for every width: what is half written survives a window that changes its size.
  return (
    <div className={classes.inbox} data-width={width}>
      {side}
      {list}
      {beside && <Divider share={share} setShare={setShare} initial={LIST_SHARE} label="Width of the list" />}
      {(beside || sel) && (
        <section ref={detail} className={classes.detail} tabIndex={-1} aria-label="Open ping">
          {!wide && (
            <div className={classes.back}>
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                px="xs"
                leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden />}
                onClick={close}
              >
                Back to the list
              </Button>
            </div>
          )}
          {sel ? story : <NothingOpen />}
        </section>
      )}
    </div>
  );
};
