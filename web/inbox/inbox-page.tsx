import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { Patient } from '#contract/patients.ts';
import { call } from '../api/call.ts';
import { useIsLive } from '../api/use-live.ts';
import { totalOf } from '../lists/list-part.ts';
import { useLastPage } from '../lists/use-last-page.ts';
import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { keptScroll } from '../session/kept-scroll.ts';
import { BackButton } from '../ui/back-button.tsx';
import { useDensity } from '../ui/density.ts';
import { Divider } from '../ui/divider.tsx';
import { useAnnounced } from '../ui/use-announced.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useTitle } from '../ui/use-title.ts';
import { useWidth } from '../ui/use-width.ts';
import { countsQuery, unfilteredCount } from './counts.ts';
import classes from './inbox.module.css';
import { InboxHeader } from './inbox-header.tsx';
import { NothingOpen } from './nothing-open.tsx';
import { PingList } from './ping-list.tsx';
import { whenSaved } from './status-change.ts';
import { type Inbox, useInbox } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

const later = () => import('./later-parts.ts');
const loadPanel = async () => (await later()).loadPanel();
const loadTools = async () => (await later()).loadTools();
const loadPrint = async () => (await later()).loadPrint();
const loadListTools = async () => (await later()).loadListTools();
const loadBulkBar = async () => (await later()).loadBulkBar();
const loadDetail = async () => (await later()).loadDetail();

const scrollPane = keptScroll('pane');

/** In percent of the width (docs/ux.md, "Split pane"). */
const LIST_SHARE = 44;

interface Props {
  inbox: Inbox;
}

/** What is due comes before what the other lists have too. */
const OWN_GROUPS = [{ label: 'Follow-up', facets: ['dueWork'], isExpanded: true }] as const;

const Filters = ({ inbox: { filters, filterPanel, page } }: Props) => {
  const total = totalOf(page.data);
  const FilterSide = useLoaded(loadPanel, filterPanel.open, false);
  if (!filterPanel.open || !FilterSide) return null;
  return (
    <FilterSide
      filters={filters}
      context="PINGS"
      ownGroups={OWN_GROUPS}
      withName
      counts={total === null ? undefined : page.data?.facets}
      failed={!page.data && page.error !== null}
      more={filterPanel.more}
      results={total === null ? null : counted(total, 'ping', 'pings')}
      focus={filterPanel.focus}
      close={filterPanel.close}
    />
  );
};

const List = ({ inbox }: Props) => {
  const { search, filters, page, list, live } = inbox;
  const [dialog, openDialog] = useState<FilterDialog>(null);
  const [printed, showPrinted] = useState<readonly Patient[] | null>(null);
  const { data: counts } = useQuery(countsQuery);
  const SavedFilterTools = useLoaded(loadTools, dialog !== null || filters.saved !== null || filters.missing, false);
  const print = useLoaded(loadPrint, false, useIsLive());
  // After the rows, which come first.
  const tools = useLoaded(loadListTools, page.data !== undefined);
  const BulkBar = useLoaded(loadBulkBar, inbox.picked.size > 0, useIsLive());
  const total = totalOf(page.data);
  useTitle(counts?.new ? `Pings (${counts.new} new)` : 'Pings');
  useInboxKeys(inbox, openDialog);
  return (
    <>
      <div className={classes.headBox}>
        <InboxHeader
          // Their places are kept, so that they don't push the rows when they come.
          pickPage={inbox.canPick && (tools ? <tools.PickPage inbox={inbox} /> : <i className={classes.pickSpace} />)}
          owner={tools ? <tools.ListTools inbox={inbox} /> : <i />}
          code={list.code}
          search={search}
          filters={filters}
          panel={inbox.filterPanel}
          openDialog={openDialog}
          counts={counts}
          total={total}
          refreshing={page.isRefetching}
          patch={inbox.patch}
          refresh={() => void live.show()}
          print={{
            rows: inbox.rows.length,
            load: (part) => call('POST /api/pings', { body: { ...filters.parameters(0), ...part } }),
            show: showPrinted,
          }}
        />
        {SavedFilterTools && (
          <SavedFilterTools
            filters={filters}
            context="PINGS"
            module="PING_SEARCH"
            total={total}
            dialog={dialog}
            openDialog={openDialog}
          />
        )}
      </div>
      <PingList
        code={list.code}
        search={search}
        filters={filters}
        page={page}
        printed={printed}
        rows={inbox.rows}
        live={live}
        unsaved={inbox.changes.unsaved}
        picked={inbox.canPick ? inbox.picked : null}
        toggle={inbox.toggle}
        open={inbox.open}
        move={inbox.move}
        print={print}
        all={unfilteredCount(list.code, counts)}
      />
      {BulkBar && inbox.picked.size > 0 && <BulkBar inbox={inbox} />}
    </>
  );
};

interface DetailProps extends Props {
  /** Null until it is loaded. */
  PingDetail: typeof import('./ping-detail.tsx').PingDetail | null;
}

const Detail = ({ inbox, PingDetail }: DetailProps) => {
  const { sel, rows, changes, detail, close } = inbox;
  const isWide = useWidth() === 'wide';
  return (
    <section ref={detail} className={classes.detail} tabIndex={-1} aria-label="Open ping">
      {!isWide && (
        <div className={classes.back}>
          <BackButton to="list" close={close} />
        </div>
      )}
      {!sel && <NothingOpen />}
      {sel && PingDetail && (
        <PingDetail
          key={sel}
          id={sel}
          row={rows.find(({ id }) => id === sel)}
          statusControl={inbox.statusControl}
          setStatusControl={inbox.setStatusControl}
          unsaved={changes.unsaved.get(sel) ?? null}
          takeTheirs={() => changes.takeTheirs(sel)}
          keepMine={() => changes.keepMine(sel)}
          send={inbox.send}
          noteUndo={changes.noteUndo}
        />
      )}
    </section>
  );
};

/** The inbox of the selected team. */
export const InboxPage = () => {
  const inbox = useInbox();
  const width = useWidth();
  const compact = useDensity() === 'compact';
  const [share, setShare] = useState(LIST_SHARE);
  const { sel, page, filters } = inbox;
  const PingDetail = useLoaded(loadDetail, sel !== undefined, useIsLive());
  useAnnounced(page, 'ping', 'pings');
  useLastPage(page, filters);

  const { refetch } = page;
  const emptied = page.data !== undefined && page.data.patients.length === 0 && page.data.total > 0;
  useEffect(() => {
    // Asked before the last change is saved, the server would answer with that row.
    if (emptied) void whenSaved().then(() => refetch());
  }, [emptied, refetch]);

  // In compact density the list takes the whole width while no ping is open, so that each row fits on one line.
  const beside = width === 'wide' && (!compact || sel !== undefined);
  // The same elements for every width, so that an unfinished resolution survives a resized window.
  return (
    <div className={classes.inbox} data-width={width}>
      <Filters inbox={inbox} />
      <div
        // On a phone this scrolls, else the list in it.
        ref={scrollPane}
        data-scroller="pane"
        className={`${classes.pane} ${width === 'narrow' && sel ? classes.hidden : ''}`}
        style={beside ? { flex: `0 0 ${share}%` } : undefined}
      >
        <List inbox={inbox} />
      </div>
      {beside && <Divider share={share} setShare={setShare} initial={LIST_SHARE} label="List width" />}
      {(beside || sel) && <Detail inbox={inbox} PingDetail={PingDetail} />}
    </div>
  );
};
