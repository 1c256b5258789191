/** Loads what live events bring. The user didn't ask for it, so it loads in the background, which doesn't keep the session alive. */
import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvents } from '#contract/live.ts';
import type { Patient } from '#contract/patients.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { rowStatus } from './card.ts';
import { pingsQuery, putPatient, removeRow, type SearchResults, shownRows } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import { whenSaved } from './status-change.ts';
import type { useArrivals } from './use-arrivals.ts';

interface Comparison {
  client: QueryClient;
  parameters: InboxList['parameters'];
  arrivals: ReturnType<typeof useArrivals>;
  /** Whether the page still shows this list. */
  isShown: () => boolean;
}

/**
 * Returns the rows of an answer that are new to the list: not those that only moved up from the next page, in the place of rows that left this
 * one, or down from the page before.
 */
const newRows = (shown: readonly string[], next: readonly string[], isFirstPage: boolean): string[] => {
  const stay = next.filter((id) => shown.includes(id));
  const [first, last] = [next.indexOf(stay[0] ?? ''), next.indexOf(stay.at(-1) ?? '')];
  const movedUp = last + 1 + shown.length - stay.length;
  return next.filter(
    (id, place) => !shown.includes(id) && (isFirstPage || place > first) && (place < last || place >= movedUp),
  );
};

/** Returns the patients whose details are open. */
const openPatients = (client: QueryClient): string[] =>
  client
    .getQueryCache()
    .findAll({ queryKey: ['patient'], type: 'active' })
    .map(({ queryKey }) => String(queryKey[1]));

/** Loads a patient again and replaces the row. Returns false where the patient is gone or out of reach: the row stays as it was. */
const refreshPatient = async (client: QueryClient, id: string): Promise<boolean> => {
  try {
    // A request under way may have been answered before the change, and would be joined.
    await client.cancelQueries({ queryKey: patientQuery(id).queryKey, exact: true });
    putPatient(client, await inBackground(() => client.fetchQuery({ ...patientQuery(id), staleTime: 0 })));
    return true;
  } catch {
    return false;
  }
};

/** Removes a row that the team may no longer see, and what the detail shows of it. */
const hideRow = (client: QueryClient, parameters: InboxList['parameters'], id: string): void => {
  removeRow(client, parameters, id);
  void client.resetQueries({ queryKey: patientQuery(id).queryKey });
};

type List = Pick<Comparison, 'client' | 'parameters' | 'arrivals'>;

/** Reloads a patient whose stay was given to someone, or waits, if the page shows another version: our own change comes back too. */
export const takeWork = async (
  { client, arrivals }: Pick<List, 'client' | 'arrivals'>,
  { patientId: id, version: next }: LiveEvents['stay'],
  row: Patient | undefined,
): Promise<void> => {
  const version = (): string | undefined => client.getQueryData<Patient>(patientQuery(id).queryKey)?.card?.work.version;
  const before = row?.card?.work.version ?? version();
  if (before === undefined || before === next) return;
  if ((await refreshPatient(client, id)) && version() !== before) arrivals.markUpdated(id);
};

/** Reloads a patient with news and marks the row, or removes it if the team may no longer see it. A status that the page has already isn't news. */
export const takePing = async (
  { client, parameters, arrivals }: List,
  { patientId: id, eventIdentifier, change }: LiveEvents['ping'],
): Promise<void> => {
  const record = (): string | undefined =>
    client
      .getQueryData<Patient>(patientQuery(id).queryKey)
      ?.currentPingEncounter?.pings.find((ping) => ping.eventIdentifier === eventIdentifier)?.currentManagementStatus
      .id;
  const before = record();
  if (await refreshPatient(client, id)) {
    if (change !== 'status' || before === undefined || record() !== before) arrivals.markUpdated(id);
  } else if (change === 'hidden') hideRow(client, parameters, id);
};

/** Returns the ways to compare a list on the page with the server's. */
export const comparison = ({ client, parameters, arrivals, isShown }: Comparison) => {
  const { queryKey } = pingsQuery(parameters);
  const rows = (): Patient[] => shownRows(client, parameters);
  /** Asks for the list again. Takes the answer over if every row keeps its place; otherwise offers it, and shows the newer rows in their old places. Returns the answer's rows. */
  const compare = async (): Promise<readonly Patient[]> => {
    // The first answer comes first: it is older than the one asked for below and must not replace it.
    if (!client.getQueryData(queryKey)) await client.fetchQuery(pingsQuery(parameters));
    await whenSaved();
    const next = await inBackground(() => call('POST /api/pings', { body: parameters }));
    if (!isShown()) return rows();
    const ids = rows().map(({ id }) => id);
    const nextIds = next.patients.map(({ id }) => id);
    const same = ids.length === nextIds.length && ids.every((id, place) => id === nextIds[place]);
    if (same || ids.length === 0) client.setQueryData(queryKey, next);
    else {
      const newer = new Map(next.patients.map((row) => [row.id, row]));
      const patients = rows().map((row) => newer.get(row.id) ?? row);
      const { total, numPages } = next;
      client.setQueryData<SearchResults>(queryKey, (page) => page && { ...page, total, numPages, patients });
      arrivals.wait(newRows(ids, nextIds, (parameters.pageNumber ?? 1) === 1));
      arrivals.markChanged();
    }
    return next.patients;
  };
  /**
   * After an interruption, or when a roster was applied: asks for the list again only if it is another one than on the page. Rows that left stay in
   * their places until the reader asks, and say what became of them.
   */
  const compareIfChanged = async (): Promise<void> => {
    const shown = client.getQueryData<SearchResults>(queryKey) ?? (await client.fetchQuery(pingsQuery(parameters)));
    const now = await inBackground(() => call('POST /api/pings-result-hashes', { body: parameters })).catch(() => null);
    if (!isShown()) return;
    const before = new Map(rows().map((row) => [row.id, rowStatus(row)]));
    const open = openPatients(client);
    if (now !== null && now.hash === shown.hash) {
      for (const id of open) if (!before.has(id)) await refreshPatient(client, id);
      return;
    }
    const listed = new Set((await compare()).map(({ id }) => id));
    const left = [...before.keys()].filter((id) => !listed.has(id));
    // One after the other, because every page of the team does so at once.
    for (const id of new Set([...open, ...left])) {
      await refreshPatient(client, id);
      // No event has named the ping whose history may be open.
      void inBackground(() => client.invalidateQueries({ queryKey: ['ping-history', id] }));
    }
    for (const row of rows())
      if (before.has(row.id) && before.get(row.id) !== rowStatus(row)) arrivals.markUpdated(row.id);
  };
  return { compare, compareIfChanged };
};
