import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { forgetDraft } from '../session/drafts.ts';
import { useSession } from '../session/session.ts';
import { putPatient } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import { type Change, resolutionDraft, type Unsaved } from './status-change.ts';

/** The detail, from which changes are sent, loads it too. */
const loadSend = () => loadChunk('send-change', () => import('./send-change.ts'));

/** Changes that were not saved, by patient id. */
const useUnsaved = () => {
  const [unsaved, setAll] = useState<ReadonlyMap<string, Unsaved>>(new Map());
  const setUnsaved = useCallback((id: string, why: Unsaved | null): void => {
    setAll((all) => {
      const next = new Map(all);
      if (why) next.set(id, why);
      else next.delete(id);
      return next;
    });
  }, []);
  return { unsaved, setUnsaved };
};

/** Returns a function that loads a patient as saved on the server, into the lists too. */
const useReload = (client: QueryClient) =>
  useCallback(
    async (id: string): Promise<Patient> => {
      const patient = await client.fetchQuery({ ...patientQuery(id), staleTime: 0 });
      putPatient(client, patient);
      void client.invalidateQueries({ queryKey: ['ping-history', id] });
      return patient;
    },
    [client],
  );

/**
 * Changes the status of pings. A change shows in the same frame and is put back if the server refuses it. It can be undone from the
 * toast for ten seconds, and with `undo` until the next change, also while it is being saved. Between two open statuses a row keeps its place.
 */
export const useStatusChanges = (list: InboxList) => {
  const client = useQueryClient();
  const { user } = useSession();
  const { unsaved, setUnsaved } = useUnsaved();
  const lastUndo = useRef<(() => void) | null>(null);

  const send = useCallback(
    async (change: Change, onLeave = (): void => {}): Promise<void> => {
      const { sendChange } = await loadSend();
      await sendChange(change, { client, list, user, setUnsaved, onLeave, lastUndo });
    },
    [client, setUnsaved, list, user],
  );

  const reload = useReload(client);

  /** Shows what is saved on the server and drops the change that was not saved, with what was typed for it. */
  const takeTheirs = async (id: string): Promise<void> => {
    await reload(id);
    forgetDraft(resolutionDraft(id));
    setUnsaved(id, null);
  };

  /** Sends the change that was not saved again, over the ping's status as it is now. */
  const keepMine = async (id: string): Promise<void> => {
    const mine = unsaved.get(id);
    // Without an answer, the notice stays, and with it the way to try again.
    const patient = mine && (await reload(id).catch(() => null));
    const ping =
      patient?.currentPingEncounter?.pings.find((one) => one.eventIdentifier === mine?.eventIdentifier) ??
      patient?.currentPing;
    if (mine && patient && ping && (!mine.single || ping.eventIdentifier === mine.eventIdentifier))
      await send({ patient, ping, single: mine.single, choice: mine.choice });
  };

  /** What `undo` takes back until the next change. */
  const noteUndo = (undo: () => void): void => {
    lastUndo.current = undo;
  };

  return { send, takeTheirs, keepMine, unsaved, undo: useCallback(() => lastUndo.current?.(), []), noteUndo };
};
