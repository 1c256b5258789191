import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { isOpen } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { useFilters } from '../filters/use-filters.ts';
import { usePanel } from '../filters/use-panel.ts';
import { hasDraft } from '../session/drafts.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { useWidth } from '../ui/use-width.ts';
import { pingsQuery } from './inbox-queries.ts';
import { type InboxSearch, inboxKind, statusOf } from './inbox-search.ts';
import { useLiveInbox } from './use-live-inbox.ts';
import { type Choice, draftOf, useStatusChanges } from './use-status-changes.ts';

/** What stands open at the detail's actions. */
export type Panel = 'resolve' | 'menu' | null;

export type Inbox = ReturnType<typeof useInbox>;

/** The status of the list that parameters ask for. */
const listed = (parameters: SearchParametersInput | undefined): string | undefined =>
  parameters?.userDefinedFacetPreferences?.preferenceMap?.managementStatus?.[0]?.value;

/** What is asked for, by the URL and the filters, and its page. */
const useAskedList = () => {
  const status = statusOf(useSearch({ strict: false }));
  const kind = useMemo(() => inboxKind(status), [status]);
  const filters = useFilters(kind);
  const search = filters.search as InboxSearch;
  const filterPanel = usePanel(filters, false);
  const key = JSON.stringify(filters.parameters(filterPanel.facetSize));
  const asked = useMemo(() => ({ status, parameters: JSON.parse(key) as SearchParametersInput }), [status, key]);
  const page = useQuery({
    ...pingsQuery(asked.parameters),
    enabled: filters.ready,
    // Another page, order or filter of the same list may stand in until it comes; another list may not.
    placeholderData: (previous, query) =>
      listed(query?.queryKey[1] as SearchParametersInput | undefined) === status ? previous : undefined,
  });
  /** Changes the state in the URL; moving through rows does not fill the history. */
  const choose = (next: Partial<InboxSearch>, replace = false): void => filters.patch(next, replace);
  return { search, filters, filterPanel, asked, page, choose };
};

const focusRow = (id: string | undefined): void => {
  // After the frame in which the row may have become visible again.
  requestAnimationFrame(() => {
    const row = id ? document.getElementById(`ping-${id}`) : null;
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  });
};

interface Steps {
  rows: readonly Patient[];
  sel: string | undefined;
  /** Opens a row in the URL, or none. */
  select: (id: string | undefined, replace?: boolean) => void;
  detail: RefObject<HTMLElement | null>;
}

/** How one comes from row to row, and into the detail and back. */
const useSteps = ({ rows, sel, select, detail }: Steps) => {
  const width = useWidth();
  /** The row that has the focus, or else the one that is open. */
  const current = (): string | undefined => {
    const focused = document.activeElement?.id;
    return rows.find(({ id }) => `ping-${id}` === focused)?.id ?? rows.find(({ id }) => id === sel)?.id;
  };
  /** Opens a row; one that is open already hands the focus on to its detail. */
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
  /** On from a row that leaves the list: to the next where there is room for both, else back to the list. */
  const leave = (id: string): void => {
    const at = rows.findIndex((row) => row.id === id);
    const next = rows[at + 1] ?? rows[at - 1];
    select(width === 'wide' ? next?.id : undefined);
    focusRow(next?.id);
  };
  return { current, open, close, move, leave };
};

/** The inbox of the selected team: its list, what of it is open, and what is done to it. */
export const useInbox = () => {
  const { can } = useSession();
  const list = useAskedList();
  const { asked, page, choose, filters } = list;
  const { sel } = list.search;
  const changes = useStatusChanges(asked);
  const live = useLiveInbox(asked, filters.count > 0);
  const [panel, setPanel] = useState<Panel>(() => (hasDraft(draftOf(sel)) ? 'resolve' : null));
  const detail = useRef<HTMLElement>(null);
  const rows = page.data?.patients ?? [];

  const select = (id: string | undefined, replace = true): void => {
    setPanel(null);
    if (id) live.seen(id);
    choose({ sel: id }, replace);
  };
  const steps = useSteps({ rows, sel, select, detail });
  const act = (what: Panel): void => {
    const id = steps.current() ?? sel;
    if (!id || !can('canManagePings')) return;
    if (id !== sel) select(id);
    setPanel(what);
  };
  const send = (patient: Patient, ping: Ping, choice: Choice): void => {
    setPanel(null);
    void changes.send(patient, ping, choice);
    const leaves =
      rows.some(({ id }) => id === patient.id) &&
      ping.eventIdentifier === patient.currentPing?.eventIdentifier &&
      isOpen(choice.status) !== isOpen(asked.status);
    if (!leaves) return;
    steps.leave(patient.id);
    const left = (page.data?.total ?? rows.length) - 1;
    announce(`Done. ${patient.lastName}, ${patient.firstName}. ${left} left.`);
  };
  return { ...list, ...steps, rows, sel, changes, live, panel, setPanel, detail, act, send };
};
