import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { isOpen, MANAGEMENT_STATUS_LABELS, STATUS_CHANGE_FAILED } from '#contract/management-status.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { ApiError } from '../api/error.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { forgetDraft } from '../session/drafts.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { showToast } from '../ui/toasts.tsx';
import { historyQuery, pingsQuery, putPatient, removeFromOtherLists, removeRow, restoreRow } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import {
  type Choice,
  resolutionDraft,
  SAVING,
  type StatusRecord,
  saveStatus,
  type Unsaved,
  withStatus,
} from './status-change.ts';

interface Change {
  patient: Patient;
  ping: Ping;
  choice: Choice;
}

/** How a toast names a patient: it outlives the page that it is about. */
const nameOf = ({ lastName }: Patient): string => lastName.toLocaleUpperCase('en-US');

/** Shows a change before the server confirms it. A closed ping leaves the open lists, a reopened one leaves the closed lists. */
const showUnconfirmed = (
  client: QueryClient,
  list: InboxList,
  { patient, ping, choice }: Change,
  username: string,
): { leaves: boolean; putBack: (record: StatusRecord) => void } => {
  const { eventIdentifier } = ping;
  const rows = client.getQueryData<PatientResults>(pingsQuery(list.parameters).queryKey)?.patients ?? [];
  const index = rows.findIndex(({ id }) => id === patient.id);
  const listed = index >= 0 && eventIdentifier === patient.currentPing?.eventIdentifier;
  const leaves = listed && isOpen(choice.status) !== isOpen(list.status);
  const { status, resolutions = [], otherText = null } = choice;
  const record = { id: SAVING, status, resolutions, otherText, username, date: new Date().toISOString() };
  putPatient(client, withStatus(patient, eventIdentifier, record));
  if (leaves) removeRow(client, list.parameters, patient.id);
  return {
    leaves,
    putBack: (previous) => {
      const restored = withStatus(patient, eventIdentifier, previous);
      if (leaves) restoreRow(client, list.parameters, restored, index);
      else putPatient(client, restored);
    },
  };
};

const refreshHistory = (client: QueryClient, patientId: string, eventIdentifier: string): void =>
  void client.invalidateQueries({ queryKey: historyQuery(patientId, eventIdentifier).queryKey });

/** Sets a ping back to the status that it had before a saved change. */
const undoChange = async (
  client: QueryClient,
  { patient, ping }: Change,
  saved: StatusRecord,
  putBack: (record: StatusRecord) => void,
): Promise<void> => {
  const { eventIdentifier, currentManagementStatus: before } = ping;
  try {
    const undone = await saveStatus(patient, ping.status, saved.status, {
      eventIdentifier,
      status: before.status,
      resolutions: before.resolutions.filter((resolution) => resolution !== 'SYSTEM_RESOLVED'),
      otherText: before.otherText,
      expectedStatusId: saved.id,
    });
    putBack(undone);
    removeFromOtherLists(client, withStatus(patient, eventIdentifier, undone));
    refreshHistory(client, patient.id, eventIdentifier);
    announce(`Undone. ${patient.lastName} is back to ${MANAGEMENT_STATUS_LABELS[before.status]}.`);
  } catch (error) {
    const message = error instanceof ApiError && error.status === 409 ? error.message : STATUS_CHANGE_FAILED;
    showToast({ type: 'warning', message: `${nameOf(patient)}: ${message}` });
  }
};

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
    async (patient: Patient, ping: Ping, choice: Choice): Promise<void> => {
      const change = { patient, ping, choice };
      const { eventIdentifier, currentManagementStatus: before } = ping;
      setUnsaved(patient.id, null);
      const { leaves, putBack } = showUnconfirmed(client, list, change, user.username);
      let isUndoWanted = false;
      const undoOnceSaved = (): void => {
        isUndoWanted = true;
      };
      lastUndo.current = undoOnceSaved;
      try {
        const expected = { eventIdentifier, expectedStatusId: before.id };
        const saved = await saveStatus(patient, ping.status, before.status, { ...choice, ...expected });
        putPatient(client, withStatus(patient, eventIdentifier, saved));
        refreshHistory(client, patient.id, eventIdentifier);
        forgetDraft(resolutionDraft(patient.id));
        if (isUndoWanted) return await undoChange(client, change, saved, putBack);
        const undo = (): void => {
          if (lastUndo.current === undo) lastUndo.current = null;
          removeToast();
          void undoChange(client, change, saved, putBack);
        };
        if (lastUndo.current === undoOnceSaved) lastUndo.current = undo;
        const removeToast = showToast({
          type: 'success',
          message: `${nameOf(patient)}: ${MANAGEMENT_STATUS_LABELS[choice.status]}.`,
          action: { label: 'Undo', run: undo },
        });
      } catch (error) {
        putBack(before);
        if (lastUndo.current === undoOnceSaved) lastUndo.current = null;
        const conflict = error instanceof ApiError && error.errorKey === 'PING_CHANGED_BY_OTHER';
        setUnsaved(patient.id, { eventIdentifier, choice, current: (conflict && error.current) || null });
        const refused = error instanceof ApiError && error.status === 409;
        const message = refused ? error.message : STATUS_CHANGE_FAILED;
        // A ping that is still open shows the conflict itself. If the reader has moved on to the next one, only a toast reaches them.
        if (!refused || leaves) showToast({ type: 'warning', message: `${nameOf(patient)}: ${message}` });
      }
    },
    [client, setUnsaved, list, user.username],
  );

  /** Loads the patient as saved on the server, into the lists too. */
  const reload = useCallback(
    async (id: string): Promise<Patient> => {
      const patient = await client.fetchQuery({ ...patientQuery(id), staleTime: 0 });
      putPatient(client, patient);
      void client.invalidateQueries({ queryKey: ['ping-history', id] });
      return patient;
    },
    [client],
  );

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
    if (mine && patient && ping?.eventIdentifier === mine.eventIdentifier) await send(patient, ping, mine.choice);
  };

  return { send, takeTheirs, keepMine, unsaved, undo: useCallback(() => lastUndo.current?.(), []) };
};
