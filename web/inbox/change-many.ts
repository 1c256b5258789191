import type { QueryClient } from '@tanstack/react-query';
import type { Patient } from '#contract/patients.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { headlineOf } from './card.ts';
import { fits, targetsOf, withStatuses } from './changed-stay.ts';
import { putPatient, refreshHistories, removeRow } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import { saveStatuses } from './save-statuses.ts';
import type { Change, Choice } from './status-change.ts';
import { undoChange } from './undo-change.ts';

/** More rows than this are not changed at once: nobody can look through what was selected. */
export const MOST_ROWS = 500;
const PAGE = 100;
/** How many changes are sent at the same time. */
const AT_ONCE = 4;

/** Returns the rows of all pages of a list, at most `MOST_ROWS`. */
export const loadAll = async (parameters: SearchParametersInput): Promise<Patient[]> => {
  const found = new Map<string, Patient>();
  for (let pageNumber = 1; pageNumber <= MOST_ROWS / PAGE; pageNumber += 1) {
    const { patients, numPages } = await call('POST /api/pings', {
      body: { ...parameters, pageNumber, pageSize: PAGE },
    });
    for (const patient of patients) found.set(patient.id, patient);
    if (pageNumber >= numPages) break;
  }
  return [...found.values()];
};

/** What became of a change of many rows. */
export interface Outcome {
  done: number;
  /** Rows that were not changed, and why. */
  failed: { patient: Patient; why: string }[];
  /** Takes back what was done, row by row. */
  undo: () => Promise<void>;
}

interface Many {
  client: QueryClient;
  list: InboxList;
  patients: readonly Patient[];
  choice: Choice;
  /** Called after each row. */
  onProgress: (finished: number) => void;
}

/** Changes all open pings of each of these stays. A row that fails harms no other one. */
export const changeMany = async ({ client, list, patients, choice, onProgress }: Many): Promise<Outcome> => {
  const failed: Outcome['failed'] = [];
  const undos: (() => Promise<void>)[] = [];
  let finished = 0;
  const changeOne = async (patient: Patient): Promise<void> => {
    const ping = headlineOf(patient);
    if (!ping) return;
    const change: Change = { patient, ping, single: false, choice };
    const pings = targetsOf(change);
    try {
      const saved = await saveStatuses(patient, pings, choice);
      const changed = withStatuses(patient, saved);
      putPatient(client, changed);
      refreshHistories(client, patient.id, pings);
      if (!fits(changed, list)) removeRow(client, list.parameters, patient.id);
      undos.push(() =>
        undoChange(client, change, pings, saved, (records) => putPatient(client, withStatuses(patient, records))),
      );
    } catch (error) {
      failed.push({ patient, why: reasonOf(error) });
    }
    finished += 1;
    onProgress(finished);
  };
  const waiting = [...patients];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await changeOne(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const undo = async (): Promise<void> => {
    for (const back of undos) await back();
    await client.refetchQueries({ queryKey: ['pings', list.parameters] });
  };
  return { done: undos.length, failed, undo };
};
