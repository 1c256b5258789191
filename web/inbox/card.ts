import { isOpen, type ManagementStatus } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';

export type StatusRecord = Ping['currentManagementStatus'];

/** Returns the pings of the stay, newest first. */
export const pingsOf = ({ currentPing, currentPingEncounter }: Patient): readonly Ping[] =>
  currentPingEncounter?.pings ?? (currentPing ? [currentPing] : []);

/** Returns the ping that a row is headed by, with the reason and the status of the whole stay. */
export const headlineOf = (patient: Patient): Ping | null => {
  const { card, currentPing } = patient;
  if (!card || !currentPing) return currentPing;
  const { eventIdentifier, reason } = card.headline;
  const ping = pingsOf(patient).find((one) => one.eventIdentifier === eventIdentifier) ?? currentPing;
  return { ...ping, reason, currentManagementStatus: { ...ping.currentManagementStatus, status: card.status } };
};

/** Returns the status of the row: of all pings of the stay together. */
export const rowStatus = ({ card, currentPing }: Patient): ManagementStatus | undefined =>
  card?.status ?? currentPing?.currentManagementStatus.status;

/** Returns who closed the stay, and why; null while it is open. */
export const closingOf = (patient: Patient): StatusRecord | null => {
  const status = rowStatus(patient);
  if (status === undefined || isOpen(status)) return null;
  const records = pingsOf(patient).map(({ currentManagementStatus }) => currentManagementStatus);
  // One that is being saved is the latest.
  const at = ({ id }: StatusRecord): number => Number(id) || Number.POSITIVE_INFINITY;
  return records.reduce((latest, record) => (isOpen(record.status) || at(record) < at(latest) ? latest : record));
};
