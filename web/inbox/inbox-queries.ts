import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { isOpen, type ManagementStatus } from '#contract/management-status.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { call } from '../api/call.ts';

type SearchResults = RouteAnswer<'POST /api/pings'>;

/** A page of the inbox. Fetched anew when it is come to, never while it stands. */
export const pingsQuery = (body: SearchParametersInput) =>
  queryOptions({ queryKey: ['pings', body], queryFn: () => call('POST /api/pings', { body }), staleTime: 0 });

/** One patient, with the encounter and pings that the id names. */
export const patientQuery = (id: string) =>
  queryOptions({
    queryKey: ['patient', id],
    queryFn: () => call('GET /api/patients/:id', { params: { id } }),
    staleTime: 0,
  });

/** The statuses that a ping has had, newest first. */
export const historyQuery = (id: string, eventIdentifier: string) =>
  queryOptions({
    queryKey: ['ping-history', id, eventIdentifier],
    queryFn: () =>
      call('POST /api/patients/:id/events/management-status-history', { params: { id }, body: { eventIdentifier } }),
    staleTime: 0,
  });

const onPages = (client: QueryClient, change: (page: PatientResults) => PatientResults): void => {
  client.setQueriesData<PatientResults>({ queryKey: ['pings'] }, (page) => page && change(page));
};

/** Puts a patient in the place of his or her row, wherever it is listed, and into the detail. */
export const putPatient = (client: QueryClient, patient: Patient): void => {
  onPages(client, (page) => ({
    ...page,
    patients: page.patients.map((row) => (row.id === patient.id ? patient : row)),
  }));
  client.setQueryData<Patient>(patientQuery(patient.id).queryKey, patient);
};

/** Takes a row out of one page. */
export const removeRow = (client: QueryClient, parameters: SearchParametersInput, id: string): void => {
  client.setQueryData<SearchResults>(pingsQuery(parameters).queryKey, (page) =>
    page?.patients.some((row) => row.id === id)
      ? { ...page, total: page.total - 1, patients: page.patients.filter((row) => row.id !== id) }
      : page,
  );
};

/** Puts a row that was taken out back to where it was. */
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

/** Takes a row out of the lists in which its status has no place: the closed ones where it is open again, and the reverse. */
export const removeElsewhere = (client: QueryClient, { id, currentPing }: Patient): void => {
  const status = currentPing?.currentManagementStatus.status;
  if (!status) return;
  for (const [key, page] of client.getQueriesData<PatientResults>({ queryKey: ['pings'] })) {
    const { userDefinedFacetPreferences: filters } = key[1] as SearchParametersInput;
    const listed = filters?.preferenceMap?.managementStatus?.[0]?.value as ManagementStatus;
    if (isOpen(listed) === isOpen(status) || !page?.patients.some((row) => row.id === id)) continue;
    const patients = page.patients.filter((row) => row.id !== id);
    client.setQueryData<PatientResults>(key, { ...page, total: page.total - 1, patients });
  }
};
