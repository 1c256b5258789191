import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { useFilterPanel } from '../filters/use-filter-panel.ts';
import { useFilters } from '../filters/use-filters.ts';
import { hasDraft } from '../session/drafts.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { useWidth } from '../ui/use-width.ts';
import { pingsQuery } from './inbox-queries.ts';
import { type InboxSearch, inboxKind, statusOf } from './inbox-search.ts';
import { type Change, resolutionDraft } from './status-change.ts';
import { useLiveInbox } from './use-live-inbox.ts';
import { usePicks } from './use-picks.ts';
import { useStatusChanges } from './use-status-changes.ts';

/** Which control for the status of the open ping is expanded. */
export type StatusControl = 'resolve' | 'menu' | null;

export type Inbox = ReturnType<typeof useInbox>;

/** Returns the status of the list that parameters ask for. */
const statusAskedFor = (parameters: SearchParametersInput | undefined): string | undefined =>
  parameters?.userDefinedFacetPreferences?.preferenceMap?.managementStatus?.[0]?.value;

/** The list that the URL and the filters ask for, and its page. */
const useInboxList = () => {
  const status = statusOf(useSearch({ strict: false }));
  const kind = useMemo(() => inboxKind(status), [status]);
  const filters = useFilters(kind);
  const search = filters.search as InboxSearch;
  const filterPanel = useFilterPanel(filters, false);
  const key = JSON.stringify(filters.parameters(filterPanel.facetSize));
  const list = useMemo(() => ({ status, parameters: JSON.parse(key) as SearchParametersInput }), [status, key]);
  const page = useQuery({
    ...pingsQuery(list.parameters),
    enabled: filters.ready,
    // Until the answer comes, another page, order or filter of the same list may be shown, but not another list.
    placeholderData: (previous, query) =>
      statusAskedFor(query?.queryKey[1] as SearchParametersInput | undefined) === status ? previous : undefined,
  });
  /** Changes the state in the URL. Moving through rows replaces the entry of the history instead of adding one. */
  const patch = (next: Partial<InboxSearch>, replace = false): void => filters.patch(next, replace);
  return { search, filters, filterPanel, list, page, patch };
};

const findRow = (id: string | undefined): HTMLElement | null => (id ? document.getElementById(`ping-${id}`) : null);

const focusRow = (id: string | undefined): void => {
  const focus = (): void => {
    const row = findRow(id);
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
  // At once, so that the next key finds it; a row that was hidden is visible one frame later.
  focus();
  if (document.activeElement?.id !== `ping-${id}`) requestAnimationFrame(focus);
};

interface Navigation {
  rows: readonly Patient[];
  sel: string | undefined;
  /** Puts the open row, or none, into the URL. */
  select: (id: string | undefined, replace?: boolean) => void;
  detail: RefObject<HTMLElement | null>;
}

/** Moves between rows, and from a row into the detail and back. */
const useRowNavigation = ({ rows, sel, select, detail }: Navigation) => {
  const width = useWidth();
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
    if (!next) return;
    focusRow(next.id);
    if (width === 'wide' || sel) select(next.id);
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

/** The inbox of the selected team: its list, the open ping, and what users do with it. */
export const useInbox = () => {
  const { can } = useSession();
  const inboxList = useInboxList();
  const { list, page, patch, filters } = inboxList;
  const { sel } = inboxList.search;
  const changes = useStatusChanges(list);
  const live = useLiveInbox(list, filters.count > 0);
  const [statusControl, setStatusControl] = useState<StatusControl>(() =>
    hasDraft(resolutionDraft(sel)) ? 'resolve' : null,
  );
  const detail = useRef<HTMLElement>(null);
  const rows = page.data?.patients ?? [];
  const picks = usePicks(JSON.stringify(list.parameters));
  const isLoaded = page.data !== undefined;
  useEffect(() => {
    // Back from the patient's story, whatever had the focus there is gone. A list that was scrolled back stays there.
    if (!isLoaded || document.activeElement !== document.body) return;
    if (document.querySelector('[data-scroller=list]')?.scrollTop) findRow(sel)?.focus({ preventScroll: true });
    else focusRow(sel);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isLoaded]);

  const select = (id: string | undefined, replace = true): void => {
    setStatusControl(null);
    if (id) live.seen(id);
    patch({ sel: id }, replace);
  };
  const navigation = useRowNavigation({ rows, sel, select, detail });
  const openStatusControl = (control: StatusControl): void => {
    const id = navigation.current() ?? sel;
    if (!id || !can('canManagePings')) return;
    if (id !== sel) select(id);
    setStatusControl(control);
  };
  const send = (change: Change): void => {
    const { patient } = change;
    setStatusControl(null);
    void changes.send(change, () => {
      navigation.leave(patient.id);
      const left = (page.data?.total ?? rows.length) - 1;
      announce(`Done. ${patient.lastName}, ${patient.firstName}. ${left} left.`);
    });
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
