import type { ErrorBody } from '#contract/errors.ts';
import { isOpen, type ManagementStatus, type Resolution } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { rowStatus, type StatusRecord } from './card.ts';
import type { InboxList } from './inbox-search.ts';

/** What a user chose for a ping. */
export interface Choice {
  status: ManagementStatus;
  resolutions?: Resolution[];
  otherText?: string;
}

/** A change that was not saved. `current` says who was first where someone else changed the ping. */
export interface Unsaved {
  eventIdentifier: string;
  single: boolean;
  choice: Choice;
  current: NonNullable<ErrorBody['current']> | null;
}

/** The id of a status record that the server has not confirmed yet. */
export const SAVING = 'saving';

/** Patients with a status change under way. Its live event may arrive before its answer, and brings nothing new. */
export const savingPatients = new Set<string>();

/** Returns the key under which the unfinished resolution of a patient's ping is kept. */
export const resolutionDraft = (patientId: string | undefined): string => `resolution of ${patientId}`;

/** What a change is about: one ping, or without an event all open pings of the stay. */
export interface Change {
  patient: Patient;
  /** The ping that the user saw. */
  ping: Ping;
  /** Whether the change is about this ping alone. */
  single: boolean;
  choice: Choice;
}

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

/** Returns the same record for each of these pings, as if it were saved. */
export const recordsFor = (pings: readonly Ping[], choice: Choice, username: string): Map<string, StatusRecord> => {
  const { status, resolutions = [], otherText = null } = choice;
  const record = { id: SAVING, status, resolutions, otherText, username, date: new Date().toISOString() };
  return new Map(pings.map(({ eventIdentifier }) => [eventIdentifier, record]));
};

/** Whether a row may stay in a list: it keeps its place between two open statuses, and between two closed ones. */
export const fits = (patient: Patient, list: InboxList): boolean => {
  const status = rowStatus(patient);
  return status === undefined || isOpen(status) === isOpen(list.status);
};
