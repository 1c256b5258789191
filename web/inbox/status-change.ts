import type { ErrorBody } from '#contract/errors.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';

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
