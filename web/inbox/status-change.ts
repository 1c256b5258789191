import type { ErrorBody } from '#contract/errors.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { ManagementStatusRecord, Ping, StatusChange } from '#contract/pings.ts';
import { call } from '../api/call.ts';
import { track } from '../usage/track-later.ts';

/** What a user chose for a ping. */
export interface Choice {
  status: ManagementStatus;
  resolutions?: Resolution[];
  otherText?: string;
}

/** A change that was not saved. `current` says who was first where someone else changed the ping. */
export interface Unsaved {
  eventIdentifier: string;
  choice: Choice;
  current: NonNullable<ErrorBody['current']> | null;
}

export type StatusRecord = Ping['currentManagementStatus'];

/** The id of a status record that the server has not confirmed yet. */
export const SAVING = 'saving';

/** Patients with a status change under way. Its live event may arrive before its answer, and brings nothing new. */
export const savingPatients = new Set<string>();

/** Returns the key under which the unfinished resolution of a patient's ping is kept. */
export const resolutionDraft = (patientId: string | undefined): string => `resolution of ${patientId}`;

/** Saves a status change and returns the record that the server made of it. */
export const saveStatus = async (
  { id: patientId }: Patient,
  eventCode: Ping['status'],
  previousStatus: ManagementStatus,
  body: StatusChange,
): Promise<ManagementStatusRecord> => {
  savingPatients.add(patientId);
  try {
    const saved = await call('POST /api/patients/:id/events/management-status', { params: { id: patientId }, body });
    const { eventIdentifier } = body;
    const params = { patientId, eventIdentifier, eventCode, status: saved.status, previousStatus };
    track('ping-status-changed', { params });
    return saved;
  } finally {
    savingPatients.delete(patientId);
  }
};

/** Returns the patient with another status record on one ping of the encounter. */
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
