/** What a change of status is about, and how the stay looks after it. Loaded with the detail, from which changes are sent. */
import type { User } from '#contract/accounts.ts';
import { isOpenList } from '#contract/inbox-lists.ts';
import { isOpen } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { decidingPing } from '#contract/stay-status.ts';
import { headlineOf, pingsOf, rowStatus, type StatusRecord } from './card.ts';
import type { InboxList } from './inbox-search.ts';
import { type Change, type Choice, SAVING, type Shown } from './status-change.ts';

/** Returns the pings that a change is about: the open ones of the stay, or this one, also if no ping of the stay is open. */
export const targetsOf = ({
  patient: { card, currentPingEncounter },
  ping,
  single,
}: Omit<Change, 'choice'>): Ping[] => {
  const stay = currentPingEncounter?.pings ?? [];
  const whole = single ? [] : stay.filter((one) => card?.open.some((o) => o.eventIdentifier === one.eventIdentifier));
  const own = stay.find((one) => one.eventIdentifier === ping.eventIdentifier) ?? ping;
  return whole.length > 0 ? whole : [own];
};

/** Returns what a user sees without the events that they don't know of. */
export const withoutLater = ({ patient, ping }: Shown, known: readonly string[]): Shown => {
  const isKnown = ({ eventIdentifier }: { eventIdentifier: string }): boolean => known.includes(eventIdentifier);
  const { card, currentPingEncounter: stay } = patient;
  const pings = pingsOf(patient).filter(isKnown);
  const before = {
    ...patient,
    currentPing: pings[0] ?? patient.currentPing,
    currentPingEncounter: stay && { ...stay, pings },
    card: card && { ...card, open: card.open.filter(isKnown) },
  };
  return { patient: before, ping: isKnown(ping) ? ping : (headlineOf(before) ?? ping) };
};

/** Returns the same record for each of these pings, as if it were saved. */
export const recordsFor = (pings: readonly Ping[], choice: Choice, user: User): Map<string, StatusRecord> => {
  const { status, resolutions = [], otherText = null } = choice;
  const { username, firstName, lastName } = user;
  const by = { username, displayName: `${firstName} ${lastName}` };
  const record = { id: SAVING, status, resolutions, otherText, ...by, date: new Date().toISOString() };
  return new Map(pings.map(({ eventIdentifier }) => [eventIdentifier, record]));
};

/** Whether a row may stay in a list: it keeps its place between two open statuses, and between two closed ones. */
export const fits = (patient: Patient, list: InboxList): boolean => {
  const status = rowStatus(patient);
  return status === undefined || isOpen(status) === isOpenList(list.code);
};

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
    ({ state }) => state === 'CANCELLED',
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
