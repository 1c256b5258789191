import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { ErrorBody } from '#contract/errors.ts';
import {
  isOpen,
  MANAGEMENT_STATUS_LABELS,
  type ManagementStatus,
  type Resolution,
  STATUS_CHANGE_FAILED,
} from '#contract/management-status.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import type { ManagementStatusRecord, Ping, StatusChange } from '#contract/pings.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { showToast } from '../ui/toasts.tsx';
import { track } from '../usage/track-later.ts';
import {
  historyQuery,
  patientQuery,
  pingsQuery,
  putPatient,
  removeElsewhere,
  removeRow,
  restoreRow,
} from './inbox-queries.ts';
import type { PingListed } from './inbox-search.ts';

/** What a user chose for a ping. */
export interface Choice {
  status: ManagementStatus;
  resolutions?: Resolution[];
  otherText?: string;
}
/** Why a change was not saved; `current` where somebody else was first. */
export interface Unsaved {
  eventIdentifier: string;
  current: NonNullable<ErrorBody['current']> | null;
}
/** The draft of a patient's resolution. */
export const draftOf = (patientId: string | undefined): string => `resolution of ${patientId}`;

type StatusRecord = Ping['currentManagementStatus'];

/** The id of a record that the server has not confirmed yet. */
export const SAVING = 'saving';

/** Patients with a change of ours under way: its event may come before its answer, and says nothing new. */
export const underWay = new Set<string>();

const save = async (
  { id: patientId }: Patient,
  eventCode: Ping['status'],
  previousStatus: ManagementStatus,
  body: StatusChange,
): Promise<ManagementStatusRecord> => {
  underWay.add(patientId);
  try {
    const saved = await call('POST /api/patients/:id/events/management-status', { params: { id: patientId }, body });
    const { eventIdentifier } = body;
    const params = { patientId, eventIdentifier, eventCode, status: saved.status, previousStatus };
    track('ping-status-changed', { params });
    return saved;
  } finally {
    underWay.delete(patientId);
  }
};

/** The patient with another status record at one of the encounter's pings. */
export const withStatus = (patient: Patient, eventIdentifier: string, record: StatusRecord): Patient => {
  const change = (ping: Ping): Ping =>
    ping.eventIdentifier === eventIdentifier ? { ...ping, currentManagementStatus: record } : ping;
  const encounter = patient.currentPingEncounter;
  return {
    ...patient,
    currentPing: patient.currentPing && change(patient.currentPing),
    currentPingEncounter: encounter && { ...encounter, pings: encounter.pings.map(change) },
  };
};

/**
 * Changes of a ping's status: shown in the same frame, put back where the server refuses, undone for ten seconds by the toast and
 * until the next change by `undo`. What is closed leaves the open list, and the reverse; between open statuses a row keeps its place.
 */
export const useStatusChanges = (list: PingListed) => {
  const client = useQueryClient();
  const { user } = useSession();
  const [unsaved, setUnsaved] = useState<ReadonlyMap<string, Unsaved>>(new Map());
  const lastUndo = useRef<(() => void) | null>(null);

  const note = useCallback((id: string, why: Unsaved | null): void => {
    setUnsaved((all) => {
      const next = new Map(all);
      if (why) next.set(id, why);
      else next.delete(id);
      return next;
    });
  }, []);

  const send = useCallback(
    async (patient: Patient, ping: Ping, choice: Choice): Promise<void> => {
      const { eventIdentifier } = ping;
      const before = ping.currentManagementStatus;
      const rows = client.getQueryData<PatientResults>(pingsQuery(list.parameters).queryKey)?.patients ?? [];
      const index = rows.findIndex(({ id }) => id === patient.id);
      const listed = index >= 0 && ping.eventIdentifier === patient.currentPing?.eventIdentifier;
      const leaves = listed && isOpen(choice.status) !== isOpen(list.status);
      const { status, resolutions = [], otherText = null } = choice;
      const record = { status, resolutions, otherText, username: user.username };
      note(patient.id, null);
      putPatient(
        client,
        withStatus(patient, eventIdentifier, { ...record, id: SAVING, date: new Date().toISOString() }),
      );
      if (leaves) removeRow(client, list.parameters, patient.id);
      const putBack = (as: StatusRecord): void => {
        const restored = withStatus(patient, eventIdentifier, as);
        if (leaves) restoreRow(client, list.parameters, restored, index);
        else putPatient(client, restored);
      };
      try {
        const expected = { eventIdentifier, expectedStatusId: before.id };
        const saved = await save(patient, ping.status, before.status, { ...choice, ...expected });
        const now = withStatus(patient, eventIdentifier, saved);
        putPatient(client, now);
        void client.invalidateQueries({ queryKey: historyQuery(patient.id, eventIdentifier).queryKey });
        const undo = async (): Promise<void> => {
          lastUndo.current = null;
          removeToast();
          try {
            const undone = await save(patient, ping.status, saved.status, {
              eventIdentifier,
              status: before.status,
              resolutions: before.resolutions.filter((resolution) => resolution !== 'SYSTEM_RESOLVED'),
              otherText: before.otherText,
              expectedStatusId: saved.id,
            });
            putBack(undone);
            removeElsewhere(client, withStatus(patient, eventIdentifier, undone));
            void client.invalidateQueries({ queryKey: historyQuery(patient.id, eventIdentifier).queryKey });
            announce(`Undone. ${patient.lastName} is ${MANAGEMENT_STATUS_LABELS[before.status]}.`);
          } catch (error) {
            const words = error instanceof ApiError && error.status === 409 ? error.message : STATUS_CHANGE_FAILED;
            showToast({ type: 'warning', message: words });
          }
        };
        lastUndo.current = () => void undo();
        const removeToast = showToast({
          type: 'success',
          message: `${patient.lastName.toLocaleUpperCase('en-US')}: ${MANAGEMENT_STATUS_LABELS[choice.status]}.`,
          action: { label: 'Undo', run: () => void undo() },
        });
      } catch (error) {
        putBack(before);
        const conflict = error instanceof ApiError && error.errorKey === 'PING_CHANGED_BY_OTHER';
        note(patient.id, { eventIdentifier, current: (conflict && error.current) || null });
        const refused = error instanceof ApiError && error.status === 409;
        if (!refused) showToast({ type: 'warning', message: STATUS_CHANGE_FAILED });
        // A ping that is still open says it itself; the reader of the next one must be told.
        else if (leaves) showToast({ type: 'warning', message: `${patient.lastName}: ${error.message}` });
      }
    },
    [client, note, list, user.username],
  );

  /** Takes what stands on the server, and forgets what we wanted. */
  const reload = useCallback(
    async (id: string): Promise<void> => {
      putPatient(client, await client.fetchQuery({ ...patientQuery(id), staleTime: 0 }));
      void client.invalidateQueries({ queryKey: ['ping-history', id] });
      note(id, null);
    },
    [client, note],
  );

  return { send, reload, unsaved, undo: useCallback(() => lastUndo.current?.(), []) };
};
