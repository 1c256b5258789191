import { queryOptions } from '@tanstack/react-query';
import type { PatientDetails } from '#contract/patient-details.ts';
import type { Patient } from '#contract/patients.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';

/** One patient, with the encounter that the id names and its pings. Typed as a row of a list, which stands in until the answer with its details is there. */
export const patientQuery = (id: string) =>
  queryOptions({
    queryKey: ['patient', id],
    queryFn: (): Promise<Patient> => call('GET /api/patients/:id', { params: { id } }),
    staleTime: 0,
  });

/** Returns the patient with all details; null as long as only a row of a list is known. */
export const detailsOf = (patient: Patient): PatientDetails | null =>
  'phoneNumbers' in patient ? (patient as PatientDetails) : null;

/** The same answer with all that it holds, for pages that show no row of a list in its place. */
export const patientDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['patient', id],
    queryFn: (): Promise<PatientDetails> => call('GET /api/patients/:id', { params: { id } }),
    staleTime: 0,
  });

/** Whether there is no such patient for this user. 400: what the address has is no id. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);
