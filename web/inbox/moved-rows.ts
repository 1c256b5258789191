/** Rows that a change of status puts back or takes away. Loaded with the detail, from which changes are sent. */
import type { QueryClient } from '@tanstack/react-query';
import { isOpen, type ManagementStatus } from '#contract/management-status.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { rowStatus } from './card.ts';
import { historyQuery, pingsQuery, putPatient, type SearchResults } from './inbox-queries.ts';

/** Loads the status changes of pings again where they are shown. */
export const refreshHistories = (
  client: QueryClient,
  patientId: string,
  pings: readonly { eventIdentifier: string }[],
): void => {
  for (const { eventIdentifier } of pings)
    void client.invalidateQueries({ queryKey: historyQuery(patientId, eventIdentifier).queryKey });
};

/** Puts a removed row back where it was. */
export const restoreRow = (
  client: QueryClient,
  parameters: SearchParametersInput,
  patient: Patient,
  index: number,
): void => {
  client.setQueryData<SearchResults>(pingsQuery(parameters).queryKey, (page) =>
    page && !page.patients.some((row) => row.id === patient.id)
      ? { ...page, total: page.total + 1, patients: page.patients.toSpliced(index, 0, patient) }
      : page,
  );
  putPatient(client, patient);
};

/** Removes a row from the lists that its status no longer fits: an open stay from closed lists, a closed one from open lists. */
export const removeFromOtherLists = (client: QueryClient, patient: Patient): void => {
  const { id } = patient;
  const status = rowStatus(patient);
  if (!status) return;
  for (const [key, page] of client.getQueriesData<PatientResults>({ queryKey: ['pings'] })) {
    const { userDefinedFacetPreferences: filters } = key[1] as SearchParametersInput;
    const listed = filters?.preferenceMap?.managementStatus?.[0]?.value as ManagementStatus;
    if (isOpen(listed) === isOpen(status) || !page?.patients.some((row) => row.id === id)) continue;
    const patients = page.patients.filter((row) => row.id !== id);
    client.setQueryData<PatientResults>(key, { ...page, total: page.total - 1, patients });
  }
};
