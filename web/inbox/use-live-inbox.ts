import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LiveEvents } from '#contract/live.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import { call } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { useThrottled } from '../lists/use-throttled.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { announce } from '../ui/announcer.tsx';
import { hideRow, historyQuery, pingsQuery, putPatient } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import { savingPatients } from './status-change.ts';
import { useArrivals } from './use-arrivals.ts';

/** Events that come close together cause one comparison. In milliseconds. */
const COMPARE_AFTER = 300;

/** Loads a patient again and replaces the row. Returns false where the patient is gone or out of reach: the row stays as it was. */
const refreshPatient = async (client: QueryClient, id: string): Promise<boolean> => {
  try {
    // A request under way may have been answered before the change, and would be joined.
    await client.cancelQueries({ queryKey: patientQuery(id).queryKey });
    putPatient(client, await client.fetchQuery({ ...patientQuery(id), staleTime: 0 }));
    return true;
  } catch {
    return false;
  }
};

/**
 * Keeps a list of the inbox up to date while it is read. Rows never move by themselves: new ones wait behind a bar, changed ones are
 * replaced in place. Only an empty list fills by itself, because nothing in it can move. `filtered`: more than the status restricts
 * the list, so only the server knows whether a new ping belongs to it.
 */
export const useLiveInbox = ({ parameters, status: listed }: InboxList, filtered: boolean) => {
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
  const rows = (): Patient[] => client.getQueryData<PatientResults>(queryKey)?.patients ?? [];

  const show = async (arrived: Iterable<string> = arrivals.waiting): Promise<void> => {
    arrivals.markArrived(arrived);
    clearWaiting();
    await client.refetchQueries({ queryKey });
    announce('List updated.');
  };

  /** Asks for the list again. Takes the answer over if every row keeps its place; otherwise offers it. */
  const compare = async (): Promise<void> => {
    // The first answer comes first: it is older than the one asked for below and must not replace it.
    if (!client.getQueryData(queryKey)) await client.fetchQuery(pingsQuery(parameters));
    const next = await call('POST /api/pings', { body: parameters });
    if (latestView.current !== view) return;
    const ids = rows().map(({ id }) => id);
    const nextIds = next.patients.map(({ id }) => id);
    const same = ids.length === nextIds.length && ids.every((id, place) => id === nextIds[place]);
    if (same || ids.length === 0) client.setQueryData(queryKey, next);
    else {
      arrivals.wait(nextIds.filter((id) => !ids.includes(id)));
      arrivals.markChanged();
    }
  };
  const compareSoon = useThrottled(() => void compare().catch(() => {}), COMPARE_AFTER);

  const onPing = ({ patientId, eventIdentifier, status, stayStatus, change }: LiveEvents['ping']): void => {
    if (savingPatients.has(patientId)) return;
    const row = rows().find(({ id }) => id === patientId);
    const shown = row ?? client.getQueryData<Patient>(patientQuery(patientId).queryKey);
    if (shown) {
      const known = shown.currentPingEncounter?.pings.find((ping) => ping.eventIdentifier === eventIdentifier);
      if (change === 'status')
        void client.invalidateQueries({ queryKey: historyQuery(patientId, eventIdentifier).queryKey });
      // Our own change comes back as an event too; it is on the page already.
      if (change !== 'status' || known?.currentManagementStatus.status !== status)
        void refreshPatient(client, patientId).then((done) => {
          if (done) arrivals.markUpdated(patientId);
          else if (change === 'hidden') hideRow(client, parameters, patientId);
        });
    }
    // Someone took it up or the sender retracted it before it was shown.
    if (change === 'cancelled' || change === 'hidden' || stayStatus !== listed) arrivals.stopWaiting(patientId);
    if (row || stayStatus !== listed || (change !== 'arrived' && change !== 'status')) return;
    // Before the first answer it is unknown whether that answer includes the ping.
    if (filtered || !client.getQueryData(queryKey)) compareSoon.run();
    else if (rows().length === 0) void show([patientId]);
    else arrivals.wait([patientId]);
  };

  useLiveEvents((event) => {
    if (event.kind === 'ping') onPing(event.data);
    // The connection was interrupted, and events may have been missed.
    if (event.kind === 'reload') compare().catch(() => {});
  });

  const { waiting, changed, justArrived, updated, seen } = arrivals;
  return { waiting: waiting.size, changed, justArrived, updated, seen, show };
};
