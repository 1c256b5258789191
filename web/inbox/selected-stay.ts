/** A stay that was selected for a change of several, and what has happened to it since. */
import { EVENT_LABELS } from '#contract/event-codes.ts';
import { isOpen, MANAGEMENT_STATUS_LABELS } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { pingsOf } from './card.ts';
import { withStatuses } from './changed-stay.ts';

export interface SelectedStay {
  /** As it was when it was selected. */
  seen: Patient;
  /** As it is on the page now. */
  now: Patient;
}

type Username = { username: string };

const recordsOf = (patient: Patient) =>
  new Map(pingsOf(patient).map((ping) => [ping.eventIdentifier, ping.currentManagementStatus]));

/** Returns the stay as the user knows it: as it was selected, with the statuses that they have set themselves since. */
export const asKnown = ({ seen, now }: SelectedStay, { username }: Username): Patient =>
  withStatuses(seen, new Map([...recordsOf(now)].filter(([, record]) => record.username === username)));

/** Returns the open pings of events that came after the stay was selected. */
export const newSince = ({ seen, now }: SelectedStay): Ping[] => {
  const known = recordsOf(seen);
  return pingsOf(now).filter((ping) => isOpen(ping.currentManagementStatus.status) && !known.has(ping.eventIdentifier));
};

/** Returns what the sender and colleagues have done to the stay since it was selected, in words. */
export const changesSince = (stay: SelectedStay, user: Username): string[] => {
  const known = recordsOf(asKnown(stay, user));
  const others = pingsOf(stay.now).flatMap(({ eventIdentifier, currentManagementStatus: record }) => {
    const before = known.get(eventIdentifier);
    if (!before || before.id === record.id) return [];
    const by = record.displayName ?? record.username;
    return [`${MANAGEMENT_STATUS_LABELS[record.status]}${by ? ` by ${by}` : ''}`];
  });
  return [...newSince(stay).map(({ status }) => `new event: ${EVENT_LABELS[status]}`), ...new Set(others)];
};
