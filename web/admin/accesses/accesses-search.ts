import { patientIdIn } from '../../forms/patient-id.ts';

/** The part of the page's state that is in the URL: the id of the patient, and the page of the list. */
export interface AccessesSearch {
  patient?: string;
  p?: number;
}

/** Reads the state from a URL, ignoring what is invalid. */
export const accessesSearch = ({ patient, p }: Record<string, unknown>): AccessesSearch => {
  const id = typeof patient === 'string' ? patientIdIn(patient) : null;
  const page = Number(p);
  return { ...(id ? { patient: id } : {}), ...(Number.isSafeInteger(page) && page > 1 ? { p: page } : {}) };
};
