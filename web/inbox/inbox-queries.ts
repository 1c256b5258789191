import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Patient, PatientResults } from '#contract/patients.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { untilWhole } from '../lists/list-part.ts';
import { patientQuery } from '../patient/patient-query.ts';

export type SearchResults = RouteAnswer<'POST /api/pings'>;

/** A page of the inbox. Loaded whenever the page is opened, never while it is open. */
export const pingsQuery = (body: SearchParametersInput) =>
  queryOptions({
    queryKey: ['pings', body],
    queryFn: () => call('POST /api/pings', { body, takesPart: true }),
    staleTime: 0,
    refetchInterval: untilWhole,
  });

/** The rows of a page, as far as it is loaded. */
export const shownRows = (client: QueryClient, parameters: SearchParametersInput): Patient[] =>
  client.getQueryData<PatientResults>(pingsQuery(parameters).queryKey)?.patients ?? [];

/** The status changes of a ping, newest first. */
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

/** Changes a patient in every list that has a row for them, and in the detail. */
export const changePatient = (client: QueryClient, id: string, change: (row: Patient) => Patient): void => {
  onPages(client, (page) => ({ ...page, patients: page.patients.map((row) => (row.id === id ? change(row) : row)) }));
  client.setQueryData<Patient>(patientQuery(id).queryKey, (row) => row && change(row));
};

/** Replaces a patient in every list that has a row for them, and in the detail. */
export const putPatient = (client: QueryClient, patient: Patient): void => {
  changePatient(client, patient.id, () => patient);
  client.setQueryData<Patient>(patientQuery(patient.id).queryKey, patient);
};

/** Removes a row from one page. */
export const removeRow = (client: QueryClient, parameters: SearchParametersInput, id: string): void => {
  client.setQueryData<SearchResults>(pingsQuery(parameters).queryKey, (page) =>
    page?.patients.some((row) => row.id === id)
      ? { ...page, total: page.total - 1, patients: page.patients.filter((row) => row.id !== id) }
      : page,
  );
};
