import type { QueryClient } from '@tanstack/react-query';
import { MANAGEMENT_STATUS_LABELS, STATUS_CHANGE_FAILED } from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { ApiError } from '../api/error.ts';
import { showToast } from '../ui/toasts.tsx';
import type { StatusRecord } from './card.ts';
import { withStatuses } from './changed-stay.ts';
import { refreshHistories, removeFromOtherLists } from './moved-rows.ts';
import { sayNotSaved } from './not-saved.ts';
import { nameOf, saveStatuses } from './save-statuses.ts';
import type { Change } from './status-change.ts';

/** Sets pings back to the statuses that they had before a saved change. Pings that had the same one change together. */
export const undoChange = async (
  client: QueryClient,
  change: Change,
  pings: readonly Ping[],
  saved: ReadonlyMap<string, StatusRecord>,
  putBack: (records: ReadonlyMap<string, StatusRecord>) => void,
): Promise<void> => {
  const { patient } = change;
  const records = new Map(saved);
  try {
    const before = (ping: Ping) => {
      const { status, resolutions, otherText } = ping.currentManagementStatus;
      return JSON.stringify({ status, resolutions, otherText });
    };
    for (const same of Map.groupBy(pings, before).values()) {
      const { status, resolutions, otherText } = (same[0] as Ping).currentManagementStatus;
      const now = same.map((ping) => ({
        ...ping,
        currentManagementStatus: saved.get(ping.eventIdentifier) ?? ping.currentManagementStatus,
      }));
      const undone = await saveStatuses(patient, now, {
        status,
        resolutions: resolutions.filter((resolution) => resolution !== 'SYSTEM_RESOLVED'),
        ...(otherText ? { otherText } : {}),
      });
      for (const [eventIdentifier, record] of undone) records.set(eventIdentifier, record);
      const restored = withStatuses(patient, records);
      putBack(records);
      removeFromOtherLists(client, restored);
    }
    refreshHistories(client, patient.id, pings);
    const status = withStatuses(patient, records).card?.status ?? pings[0]?.currentManagementStatus.status ?? 'NEW';
    showToast({
      type: 'success',
      message: `Undone. ${nameOf(patient)} is back to ${MANAGEMENT_STATUS_LABELS[status]}.`,
    });
  } catch (error) {
    const refused = error instanceof ApiError && error.status === 409;
    sayNotSaved(
      patient,
      refused ? error.message : STATUS_CHANGE_FAILED,
      refused ? null : () => void undoChange(client, change, pings, records, putBack),
    );
  }
};
