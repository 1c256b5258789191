import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { listsStatus } from '#contract/inbox-lists.ts';
import type { LiveEvent, LiveEvents } from '#contract/live.ts';
import type { Patient } from '#contract/patients.ts';
import { inBackground } from '../api/background.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { useThrottled } from '../lists/use-throttled.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { announce } from '../ui/announcer.tsx';
import { historyQuery, pingsQuery, shownRows } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import { isSaving, whenSaved } from './status-change.ts';
import { useArrivals } from './use-arrivals.ts';

/** Events that come close together cause one comparison. In milliseconds. */
const COMPARE_AFTER = 300;

const loadCompare = () => loadChunk('compare-list', () => import('./compare-list.ts'));

/**
 * Keeps a list of the inbox up to date while it is read. Rows never move by themselves: new ones wait behind a bar, changed ones are
 * replaced in place. Only an empty list fills by itself, because nothing in it can move. `filtered`: more than the status restricts
 * the list, so only the server knows whether a new ping belongs to it.
 */
export const useLiveInbox = ({ parameters, code }: InboxList, filtered: boolean) => {
  const client = useQueryClient();
  const { queryKey } = pingsQuery(parameters);
  const view = JSON.stringify(queryKey);
  const arrivals = useArrivals();
  const { clearWaiting } = arrivals;
  const latestView = useRef(view);
  useEffect(() => {
    latestView.current = view;
    clearWaiting();
  }, [view, clearWaiting]);
  const rows = (): Patient[] => shownRows(client, parameters);

  const show = async (arrived: Iterable<string> = arrivals.waiting): Promise<void> => {
    arrivals.markArrived(arrived);
    clearWaiting();
    await whenSaved().then(() => client.refetchQueries({ queryKey }));
    announce('List updated.');
  };

  const isShown = (): boolean => latestView.current === view;
  /** Calls a part of what is loaded with the first event. */
  const withLater = (call: (later: Awaited<ReturnType<typeof loadCompare>>) => Promise<unknown>): void =>
    void loadCompare()
      .then(call)
      .catch(() => {});
  const compareBy = (way: 'compare' | 'compareIfChanged'): void =>
    withLater(({ comparison }) => comparison({ client, parameters, arrivals, isShown })[way]());
  const compareSoon = useThrottled(() => compareBy('compare'), COMPARE_AFTER);

  const onPing = (ping: LiveEvents['ping']): void => {
    const { patientId, eventIdentifier, status, stayStatus, change } = ping;
    const row = rows().find(({ id }) => id === patientId);
    const shown = row ?? client.getQueryData<Patient>(patientQuery(patientId).queryKey);
    if (shown) {
      const known = shown.currentPingEncounter?.pings.find((one) => one.eventIdentifier === eventIdentifier);
      if (change === 'status')
        void client.invalidateQueries({ queryKey: historyQuery(patientId, eventIdentifier).queryKey });
      // Our own change comes back as an event too; it is on the page already.
      if (change !== 'status' || known?.currentManagementStatus.status !== status)
        withLater(({ takePing }) => takePing({ client, parameters, arrivals }, ping));
    }
    // Someone took it up or the sender retracted it before it was shown.
    if (change === 'cancelled' || change === 'hidden' || !listsStatus(code, stayStatus))
      arrivals.stopWaiting(patientId);
    if (row || !listsStatus(code, stayStatus) || (change !== 'arrived' && change !== 'status')) return;
    // Before the first answer it is unknown whether that answer includes the ping.
    const isEmpty = rows().length === 0;
    if (isEmpty && !filtered) arrivals.markArrived([patientId]);
    // Loading an empty list anew for each arrival would cancel the one under way, and never end while many arrive.
    if (filtered || code === 'NEEDS_ACTION' || isEmpty) compareSoon.run();
    else arrivals.wait([patientId]);
  };

  const onStay = (stay: LiveEvents['stay']): void => {
    const row = rows().find(({ id }) => id === stay.patientId);
    withLater(({ takeWork }) => takeWork({ client, arrivals }, stay, row));
    if (filtered) compareSoon.run();
  };

  const take = (event: LiveEvent): void => {
    // Until a change is saved, its own event can't be told from a colleague's.
    if ((event.kind === 'ping' || event.kind === 'stay') && isSaving(event.data.patientId))
      void whenSaved().then(() => inBackground(() => latestTake.current(event)));
    else if (event.kind === 'ping') onPing(event.data);
    else if (event.kind === 'stay') onStay(event.data);
    // The connection was interrupted, and events may have been missed.
    else if (event.kind === 'reload') compareBy('compareIfChanged');
  };
  const latestTake = useRef(take);
  useEffect(() => {
    latestTake.current = take;
  });
  useLiveEvents(take);

  return { ...arrivals, waiting: arrivals.waiting.size, isWaiting: (id: string) => arrivals.waiting.has(id), show };
};
