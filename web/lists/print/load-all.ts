import { LARGEST_PAGE_SIZE } from '#contract/constants.ts';
import type { Patient } from '#contract/patients.ts';

/** The most rows of a print-out: about sixty sheets. */
const MOST_PRINTED = 1000;

/** Loads one page of a list. */
export type LoadPage = (part: { pageNumber: number; pageSize: number }) => Promise<{ patients: Patient[] }>;

/** Returns the rows of a list from the first on, up to the most that are printed. A row that moved to a later page meanwhile counts once. */
export const loadAll = async (load: LoadPage, total: number): Promise<Patient[]> => {
  const found = new Map<string, Patient>();
  const pages = Math.ceil(Math.min(total, MOST_PRINTED) / LARGEST_PAGE_SIZE);
  for (let pageNumber = 1; pageNumber <= pages; pageNumber++) {
    const { patients } = await load({ pageNumber, pageSize: LARGEST_PAGE_SIZE });
    for (const patient of patients) found.set(patient.id, patient);
  }
  return [...found.values()];
};
