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
  /** The events that it was about. */
  events: readonly string[];
  current: NonNullable<ErrorBody['current']> | null;
  /** The server's sentence where it would refuse the change again. */
  said?: string | undefined;
}

/** The id of a status record that the server has not confirmed yet. */
export const SAVING = 'saving';

/** How many changes of each patient are being saved. */
const saving = new Map<string, number>();
let saved = Promise.withResolvers<void>();

/** Whether changes of a patient are being saved. Their live events may arrive before their answers, and bring nothing new. */
export const isSaving = (patientId: string): boolean => saving.has(patientId);

/** Counts a change of these patients as being saved until `save` ends. */
export const whileSaving = async <T>(patientIds: readonly string[], save: () => Promise<T>): Promise<T> => {
  for (const id of patientIds) saving.set(id, (saving.get(id) ?? 0) + 1);
  try {
    return await save();
  } finally {
    for (const id of patientIds) {
      const left = (saving.get(id) ?? 1) - 1;
      if (left > 0) saving.set(id, left);
      else saving.delete(id);
    }
    saved.resolve();
    saved = Promise.withResolvers();
  }
};

/** Resolves once nothing is being saved: what the server answers from then on includes every change. */
export const whenSaved = async (): Promise<void> => {
  while (saving.size > 0) await saved.promise;
};

/** Returns the key under which the unfinished resolution of a patient's ping is kept. */
export const resolutionDraft = (patientId: string | undefined): string => `resolution of ${patientId}`;

/** A patient and the ping of theirs that the user sees. */
export interface Shown {
  patient: Patient;
  ping: Ping;
}

/** What a change is about: one ping, or all open pings of the stay. */
export interface Change extends Shown {
  /** Whether the change is about this ping alone. */
  single: boolean;
  choice: Choice;
}
