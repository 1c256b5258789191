import { isOpen, type ManagementStatus } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { decidingPing } from '#contract/stay-status.ts';

export type StatusRecord = Ping['currentManagementStatus'];

const pingsOf = ({ currentPing, currentPingEncounter }: Patient): readonly Ping[] =>
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

/** Returns the patient with other status records, by event, on pings of the stay. */
export const withStatuses = (patient: Patient, records: ReadonlyMap<string, StatusRecord>): Patient => {
  const change = (ping: Ping): Ping => ({
    ...ping,
    currentManagementStatus: records.get(ping.eventIdentifier) ?? ping.currentManagementStatus,
  });
  const { card, currentPing, currentPingEncounter: stay } = patient;
  const changed = {
    ...patient,
    currentPing: currentPing && change(currentPing),
    currentPingEncounter: stay && { ...stay, pings: stay.pings.map(change) },
  };
  const pings = pingsOf(changed);
  if (!card || !pings[0]) return changed;
  const open = pings.filter((ping) => isOpen(ping.currentManagementStatus.status));
  const deciding = decidingPing(
    pings,
    (ping) => ping.currentManagementStatus.status,
    // One that is being saved is the latest.
    (ping) => Number(ping.currentManagementStatus.id) || Number.POSITIVE_INFINITY,
  );
  return {
    ...changed,
    card: {
      ...card,
      status: deciding.currentManagementStatus.status,
      open: open.map(({ eventIdentifier, currentManagementStatus: { id } }) => ({ eventIdentifier, statusId: id })),
    },
  };
};
