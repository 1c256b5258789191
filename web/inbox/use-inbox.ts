import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { useFilterPanel } from '../filters/use-filter-panel.ts';
import { useFilters } from '../filters/use-filters.ts';
import { useSearch } from '../router/hooks.ts';
import { definedEntries } from '../router/search-values.ts';
import { hasDraft } from '../session/drafts.ts';
import { isScrolledBack } from '../session/kept-scroll.ts';
import { useSession } from '../session/session.ts';
import { isFocusFree } from '../ui/focus-free.ts';
import { useWidth } from '../ui/use-width.ts';
import { isFromBefore } from './ask-early.ts';
import { pingsQuery } from './inbox-queries.ts';
import { type InboxSearch, inboxKind, listCodeOf, sharedFilters } from './inbox-search.ts';
import { type Change, resolutionDraft } from './status-change.ts';
import { useLanding } from './use-landing.ts';
import { useLiveInbox } from './use-live-inbox.ts';
import { usePicks } from './use-picks.ts';
import { useStatusChanges } from './use-status-changes.ts';

/** Which control for the status of the open ping is expanded. */
export type StatusControl = 'resolve' | 'menu' | 'assign' | 'snooze' | null;

export type Inbox = ReturnType<typeof useInbox>;

/** Returns what distinguishes the list that parameters ask for from the others. */
const listAskedFor = (parameters: SearchParametersInput | undefined): string => {
  const { managementStatus, needsAction } = parameters?.userDefinedFacetPreferences?.preferenceMap ?? {};
  return [...(managementStatus ?? []), ...(needsAction ?? [])].map(({ value }) => value).join();
};

const NO_ROWS: readonly Patient[] = [];

/** The list that the URL and the filters ask for, and its page. */
const useInboxList = () => {
  const { user, preferences } = useSession();
  const { status, owner, waiting } = useSearch() as InboxSearch;
  const code = listCodeOf({ status }, preferences);
  const kind = useMemo(
    () => inboxKind(code, sharedFilters(definedEntries({ owner, waiting }), user.id)),
    [code, owner, waiting, user.id],
  );
  const filters = useFilters(kind);
  const search = filters.search as InboxSearch;
  const filterPanel = useFilterPanel(filters, false);
  const key = JSON.stringify(filters.parameters(filterPanel.facetSize));
  const list = useMemo(() => ({ code, parameters: JSON.parse(key) as SearchParametersInput }), [code, key]);
  const page = useQuery({
    ...pingsQuery(list.parameters),
    enabled: filters.ready,
    refetchOnMount: isFromBefore,
    // Until the answer comes, another page, order or filter of the same list may be shown, but not another list.
    placeholderData: (previous, query) =>
      listAskedFor(query?.queryKey[1] as SearchParametersInput | undefined) === listAskedFor(list.parameters)
        ? previous
        : undefined,
  });
  /** Changes the state in the URL. Moving through rows replaces the entry of the history instead of adding one. */
  const patch = (next: Partial<InboxSearch>, replace = false): void => filters.patch(next, replace);
  return { search, filters, filterPanel, list, page, patch };
};

const findRow = (id: string | undefined): HTMLElement | null => (id ? document.getElementById(`ping-${id}`) : null);

/** Returns the row in the tab order: the one that had the focus last, or else the open one, or the first. */
const entryRow = (): string | undefined =>
  document.querySelector('[id^="ping-"][tabindex="0"]')?.id.slice('ping-'.length);

const focusRow = (id: string | undefined): void => {
  const focus = (): void => {
    const row = findRow(id);
    row?.focus({ preventScroll: isScrolledBack() });
    if (!isScrolledBack()) row?.scrollIntoView({ block: 'nearest' });
  };
  // At once, so that the next key finds it; a row that was hidden is visible one frame later.
  focus();
  if (document.activeElement?.id !== `ping-${id}`) requestAnimationFrame(focus);
};

interface Navigation {
  rows: readonly Patient[];
  /** The page that is shown, and how many there are. */
  page: number;
  pages: number;
  /** Shows another page. */
  turnTo: (page: number) => void;
  sel: string | undefined;
  /** Puts the open row, or none, into the URL. */
  select: (id: string | undefined, replace?: boolean) => void;
  detail: RefObject<HTMLElement | null>;
}

/** Moves between rows, and from a row into the detail and back. */
const useRowNavigation = ({ rows, page, pages, turnTo, sel, select, detail }: Navigation) => {
  const width = useWidth();
  /** The row to go to once another page is there. */
  const arriving = useRef<{ page: number; at: 'first' | 'last' } | null>(null);
  const goTo = (row: Patient): void => {
    focusRow(row.id);
    if (width === 'wide' || sel) select(row.id);
  };
  useEffect(() => {
    const next = rows.at(arriving.current?.at === 'last' ? -1 : 0);
    if (arriving.current?.page !== page || !next) return;
    arriving.current = null;
    goTo(next);
    // Once for each page that arrives.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rows]);
  /** Returns the row that has the focus, or else the one that is open. */
  const current = (): string | undefined => {
    const focused = document.activeElement?.id;
    return rows.find(({ id }) => `ping-${id}` === focused)?.id ?? rows.find(({ id }) => id === sel)?.id;
  };
  /** Opens a row. If it is open already, the focus moves to its detail. */
  const open = (id: string): void => {
    if (id === sel || width !== 'wide') requestAnimationFrame(() => detail.current?.focus());
    if (id !== sel) select(id, width !== 'narrow');
  };
  const close = (): void => {
    select(undefined);
    focusRow(sel);
  };
  const move = (by: number): void => {
    const at = rows.findIndex(({ id }) => id === current());
    const next = rows[at < 0 ? 0 : at + by];
    if (next) goTo(next);
    else if (at >= 0 && page + by >= 1 && page + by <= pages) {
      arriving.current = { page: page + by, at: by > 0 ? 'first' : 'last' };
      turnTo(page + by);
    }
  };
  /** Moves on from a row that leaves the list: opens the next one if the detail has room beside the list. */
  const leave = (id: string): void => {
    const at = rows.findIndex((row) => row.id === id);
    const next = rows[at + 1] ?? rows[at - 1];
    select(width === 'wide' ? next?.id : undefined);
    focusRow(next?.id);
  };
  return { current, open, close, move, leave };
};

/** Gives the focus to a row when what had it is gone: another page, the open ping, or the bar of the selected rows. */
const useFocusBack = ({
  isLoaded,
  sel,
  hasPicks,
}: {
  isLoaded: boolean;
  sel: string | undefined;
  hasPicks: boolean;
}) => {
  useEffect(() => {
    if (isLoaded && isFocusFree()) focusRow(sel);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isLoaded]);
  const closed = useRef(sel);
  useEffect(() => {
    // The browser's Back closes a ping as Escape does.
    if (!sel && isFocusFree()) focusRow(closed.current);
    closed.current = sel;
  }, [sel]);
  useEffect(() => {
    if (!hasPicks && isLoaded && isFocusFree()) focusRow(entryRow());
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hasPicks]);
};

/** The inbox of the selected team: its list, the open ping, and what users do with it. */
export const useInbox = () => {
  const { can } = useSession();
  const inboxList = useInboxList();
  const { list, page, patch, filters, search } = inboxList;
  const { sel } = search;
  const changes = useStatusChanges(list);
  const live = useLiveInbox(list, filters.count > 0 || Boolean(search.owner || search.waiting));
  const [statusControl, setStatusControl] = useState<StatusControl>(() =>
    hasDraft(resolutionDraft(sel)) ? 'resolve' : null,
  );
  const detail = useRef<HTMLElement>(null);
  const listKey = JSON.stringify(list.parameters);
  const width = useWidth();
  const found = page.data?.patients ?? NO_ROWS;
  const landing = useLanding({
    sel,
    code: list.code,
    rows: page.isPlaceholderData || !page.data ? null : found,
    list: listKey,
    openList: (status) => patch({ status, p: undefined }, true),
    // A phone shows the detail alone.
    focus: (id) => (width === 'narrow' ? requestAnimationFrame(() => detail.current?.focus()) : focusRow(id)),
  });
  const rows = landing.before ? [landing.before, ...found] : found;
  const picks = usePicks(listKey);
  useFocusBack({ isLoaded: page.data !== undefined, sel, hasPicks: picks.picked.size > 0 });
  const select = (id: string | undefined, replace = true): void => {
    setStatusControl(null);
    if (id) live.seen(id);
    landing.chosen(id);
    patch({ sel: id }, replace);
  };
  const navigation = useRowNavigation({
    rows: page.isPlaceholderData ? NO_ROWS : rows,
    page: filters.page,
    pages: page.data?.numPages ?? 1,
    turnTo: (p) => patch({ p: p > 1 ? p : undefined, sel: undefined }),
    sel,
    select,
    detail,
  });
  const openStatusControl = (control: StatusControl): void => {
    const id = navigation.current() ?? sel;
    if (!id || !can('canManagePings')) return;
    if (id !== sel) select(id);
    setStatusControl(control);
  };
  const send = (change: Change): void => {
    const { patient } = change;
    setStatusControl(null);
    void changes.send(
      change,
      () => navigation.leave(patient.id),
      () => {
        select(patient.id);
        focusRow(patient.id);
      },
    );
  };
  return {
    ...inboxList,
    ...navigation,
    ...picks,
    canPick: can('canManagePings'),
    rows,
    sel,
    changes,
    live,
    statusControl,
    setStatusControl,
    openStatusControl,
    detail,
    send,
  };
};
