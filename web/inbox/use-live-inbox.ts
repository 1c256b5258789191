import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { LiveEvents } from '#contract/live.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { announce } from '../ui/announcer.tsx';
import { historyQuery, patientQuery, pingsQuery, putPatient } from './inbox-queries.ts';
import type { PingListed } from './inbox-search.ts';
import { underWay } from './use-status-changes.ts';

const NOBODY: ReadonlySet<string> = new Set();
const without = (set: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  set.has(id) ? new Set([...set].filter((other) => other !== id)) : set;
const plus = (set: ReadonlySet<string>, ids: Iterable<string>): ReadonlySet<string> => new Set([...set, ...ids]);

/** Events that come close together ask once. */
const COMPARE_AFTER = 300;

/**
 * What arrives while the list is read. Rows never move by themselves: new ones wait behind a bar, changed ones are renewed where they
 * stand. Only an empty list fills itself, since nothing in it can be moved. Where more is filtered than the status, the list is asked again behind the reader's back.
 */
export const useLiveInbox = ({ parameters, status: listed }: PingListed, filtered: boolean) => {
  const client = useQueryClient();
  const { queryKey } = pingsQuery(parameters);
  const view = JSON.stringify(queryKey);
  const [waiting, setWaiting] = useState(NOBODY);
  const [moved, setMoved] = useState(false);
  const [fresh, setFresh] = useState(NOBODY);
  const [updated, setUpdated] = useState<ReadonlyMap<string, number>>(new Map());
  const latestView = useRef(view);
  useEffect(() => {
    latestView.current = view;
    setWaiting(NOBODY);
    setMoved(false);
  }, [view]);
  const rows = (): Patient[] => client.getQueryData<PatientResults>(queryKey)?.patients ?? [];

  const renew = async (id: string): Promise<void> => {
    try {
      // An answer that is under way may be from before, and would be joined.
      await client.cancelQueries({ queryKey: patientQuery(id).queryKey });
      putPatient(client, await client.fetchQuery({ ...patientQuery(id), staleTime: 0 }));
      setUpdated((all) => new Map(all).set(id, Date.now()));
    } catch {
      // Gone, or out of reach: the row stays as it was read until the list is asked for again.
    }
  };

  const heard = ({ patientId, eventIdentifier, status, change }: LiveEvents['ping']): void => {
    if (underWay.has(patientId)) return;
    const row = rows().find(({ id }) => id === patientId);
    const shown = row ?? client.getQueryData<Patient>(patientQuery(patientId).queryKey);
    if (shown) {
      const known = shown.currentPingEncounter?.pings.find((ping) => ping.eventIdentifier === eventIdentifier);
      const record = known?.currentManagementStatus;
      if (change === 'status')
        void client.invalidateQueries({ queryKey: historyQuery(patientId, eventIdentifier).queryKey });
      // Our own change comes back as an event too; it is on the page already.
      if (change !== 'status' || record?.status !== status) void renew(patientId);
    }
    // Taken up or retracted by somebody before it was shown.
    if (change === 'cancelled' || status !== listed) setWaiting((all) => without(all, patientId));
    if (row || status !== listed || (change !== 'arrived' && change !== 'status')) return;
    // Whether it passes the filters, only the server can tell; and whether an answer that is under way knows of it.
    if (filtered || !client.getQueryData(queryKey)) compareSoon();
    else if (rows().length === 0) void show([patientId]);
    else setWaiting((all) => plus(all, [patientId]));
  };

  /** What is asked from then on is newer than the first answer, and not overwritten by it. */
  const firstAnswer = async (): Promise<void> => {
    if (!client.getQueryData(queryKey)) await client.fetchQuery(pingsQuery(parameters));
  };

  /** After a gap: takes over what keeps its place, and says when the list is another. */
  const compare = async (): Promise<void> => {
    await firstAnswer();
    const next = await call('POST /api/pings', { body: parameters });
    if (latestView.current !== view) return;
    const ids = rows().map(({ id }) => id);
    const nextIds = next.patients.map(({ id }) => id);
    const same = ids.length === nextIds.length && ids.every((id, place) => id === nextIds[place]);
    if (same || ids.length === 0) client.setQueryData(queryKey, next);
    else {
      setWaiting((all) =>
        plus(
          all,
          nextIds.filter((id) => !ids.includes(id)),
        ),
      );
      setMoved(true);
    }
  };

  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(soon.current), []);
  const compareNow = useRef(compare);
  useEffect(() => {
    compareNow.current = compare;
  });
  const compareSoon = (): void => {
    // Where it never stops, it is compared all the same.
    soon.current ??= setTimeout(() => {
      soon.current = undefined;
      inBackground(() => void compareNow.current().catch(() => {}));
    }, COMPARE_AFTER);
  };

  const show = async (arrived: Iterable<string> = waiting): Promise<void> => {
    setFresh((all) => plus(all, arrived));
    setWaiting(NOBODY);
    setMoved(false);
    await client.refetchQueries({ queryKey });
    announce('The list is up to date.');
  };

  useLiveEvents((event) => {
    if (event.kind === 'ping') heard(event.data);
    if (event.kind === 'reload') compare().catch(() => {});
  });

  return {
    /** How many pings wait behind the bar, and whether the list has become another one otherwise. */
    waiting: waiting.size,
    moved,
    show,
    fresh,
    updated,
    /** The reader has opened it: neither new nor just updated. */
    seen: (id: string): void => {
      setFresh((all) => without(all, id));
      setUpdated((all) => (all.has(id) ? new Map([...all].filter(([other]) => other !== id)) : all));
    },
  };
};
