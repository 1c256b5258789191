import type { QueryClient } from '@tanstack/react-query';
import { MANAGEMENT_STATUS_LABELS, type ManagementStatus, STATUS_CHANGE_FAILED } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { ApiError } from '../api/error.ts';
import { showToast } from '../ui/toasts.tsx';
import type { StatusRecord } from './card.ts';
import { withStatuses } from './changed-stay.ts';
import { refreshHistories, removeFromOtherLists } from './moved-rows.ts';
import { sayNotSaved } from './not-saved.ts';
import { nameOf, saveStatuses } from './save-statuses.ts';
import type { Choice } from './status-change.ts';

/** A saved change of a patient's pings, as it is taken back. */
export interface Saved {
  client: QueryClient;
  patient: Patient;
  /** As they were before the change. */
  pings: readonly Ping[];
  /** What was saved, by event. */
  saved: ReadonlyMap<string, StatusRecord>;
  /** Shows these records. */
  putBack: (records: ReadonlyMap<string, StatusRecord>) => void;
}

/** Returns what sets a ping back to the status that it had. The system's reason is the system's. */
export const statusBefore = ({ currentManagementStatus: { status, resolutions, otherText } }: Ping): Choice => ({
  status,
  resolutions: resolutions.filter((resolution) => resolution !== 'SYSTEM_RESOLVED'),
  ...(otherText ? { otherText } : {}),
});

/** Returns the pings of a change with the records that it saved. */
export const pingsNow = (pings: readonly Ping[], saved: Saved['saved']): Ping[] =>
  pings.map((ping) => ({
    ...ping,
    currentManagementStatus: saved.get(ping.eventIdentifier) ?? ping.currentManagementStatus,
  }));

/**
 * Sets pings back to the statuses that they had before a saved change, and returns the status of the stay then. Pings that had the same one change
 * together. Fails as a call does.
 */
export const restore = async ({ client, patient, pings, saved, putBack }: Saved): Promise<ManagementStatus> => {
  const records = new Map(saved);
  const alike = Map.groupBy(pings, (ping) => JSON.stringify(statusBefore(ping)));
  for (const same of alike.values()) {
    const undone = await saveStatuses(patient, pingsNow(same, saved), statusBefore(same[0] as Ping));
    for (const [eventIdentifier, record] of undone) records.set(eventIdentifier, record);
    const restored = withStatuses(patient, records);
    putBack(records);
    removeFromOtherLists(client, restored);
  }
  refreshHistories(client, patient.id, pings);
  return withStatuses(patient, records).card?.status ?? pings[0]?.currentManagementStatus.status ?? 'NEW';
};

const isRefused = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 409;

/** Returns why a status was not saved. */
export const whyNotSaved = (error: unknown): string => (isRefused(error) ? error.message : STATUS_CHANGE_FAILED);

/** Takes a saved change back, and says of whom and to what. */
export const undoChange = async (of: Saved): Promise<void> => {
  const name = nameOf(of.patient);
  try {
    const status = await restore(of);
    showToast({ type: 'success', message: `Undone. ${name} is back to ${MANAGEMENT_STATUS_LABELS[status]}.` });
  } catch (error) {
    sayNotSaved(of.patient, whyNotSaved(error), isRefused(error) ? null : () => void undoChange(of));
  }
};
