import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { counted } from '#contract/counted.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { showToast } from '../ui/toasts.tsx';
import { headlineOf, type StatusRecord } from './card.ts';
import {
  asSaved,
  changeBack,
  changeWork,
  choiceBefore,
  refusedBecause,
  sayUndone,
  type WorkChoice,
} from './change-work.ts';
import { fits, recordsFor, targetsOf, withStatuses } from './changed-stay.ts';
import { putPatient, removeRow } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import { refreshHistories, removeFromOtherLists } from './moved-rows.ts';
import { type Choice, whileSaving } from './status-change.ts';
import { pingsNow, restore, type Saved, statusBefore, undoChange, whyNotSaved } from './undo-change.ts';

/** More rows than this are not changed at once: nobody can look through what was selected. */
export const MOST_ROWS = 500;
/** Refused rows that are loaded again. More than that, and something else is wrong. */
export const MOST_RENEWED = 20;
const PAGE = 100;
/** More rows are sent in several calls, so that the first ones show early. */
const ROWS_OF_CALL = 50;

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
  /** Takes back what was done. */
  undo: () => Promise<void>;
}

interface Many {
  client: QueryClient;
  list: InboxList;
  user: User;
  patients: readonly Patient[];
  choice: Choice;
  /** Called after each call with how many rows are finished. */
  onProgress: (finished: number) => void;
}

interface Row {
  patient: Patient;
  pings: Ping[];
}

/** Changes all open pings of each of these stays, many stays in one call. A row that fails harms no other one. */
export const changeMany = async ({ client, list, user, patients, choice, onProgress }: Many): Promise<Outcome> => {
  const failed: Outcome['failed'] = [];
  const undos: Saved[] = [];
  const rows = patients.flatMap((patient): Row[] => {
    const ping = headlineOf(patient);
    return ping ? [{ patient, pings: targetsOf({ patient, ping, single: false }) }] : [];
  });
  const save = ({ patient, pings }: Row, statusIds: readonly string[]): void => {
    const saved = savedRecords(pings, choice, user, statusIds);
    const changed = withStatuses(patient, saved);
    putPatient(client, changed);
    refreshHistories(client, patient.id, pings);
    if (!fits(changed, list)) removeRow(client, list.parameters, patient.id);
    const putBack = (back: ReadonlyMap<string, StatusRecord>) => putPatient(client, withStatuses(patient, back));
    undos.push({ client, patient, pings, saved, putBack });
  };
  for (let from = 0; from < rows.length; from += ROWS_OF_CALL) {
    const some = rows.slice(from, from + ROWS_OF_CALL);
    try {
      const ids = some.map(({ patient }) => patient.id);
      const outcomes = await whileSaving(ids, () => send(some, choice));
      for (const [n, { statusIds, refused }] of outcomes.entries()) {
        const row = some[n] as Row;
        if (statusIds) save(row, statusIds);
        else failed.push({ patient: row.patient, why: refused ? refusedBecause(refused) : '' });
      }
    } catch (error) {
      failed.push(...some.map(({ patient }) => ({ patient, why: reasonOf(error) })));
    }
    onProgress(Math.min(from + ROWS_OF_CALL, rows.length));
  }
  const undo = async (): Promise<void> => {
    await undoMany(undos, user);
    await client.refetchQueries({ queryKey: ['pings', list.parameters] });
  };
  return { done: undos.length, failed, undo };
};

/** Returns the records of a change that the server saved under these ids. */
const savedRecords = (pings: readonly Ping[], choice: Choice, user: User, statusIds: readonly string[]) =>
  new Map(
    [...recordsFor(pings, choice, user)].map(([event, record], n) => [event, { ...record, id: statusIds[n] ?? '' }]),
  );

/** Takes back the changes of these rows, says how far it is, and once what became of them. */
const undoMany = async (undos: readonly Saved[], user: User): Promise<void> => {
  const [first] = undos;
  if (first && undos.length === 1) return undoChange(first);
  const reasons: string[] = [];
  let hide = (): void => {};
  const sayHowFar = (done: number): void => {
    hide();
    const message = `Undoing… ${done.toLocaleString('en-US')} of ${counted(undos.length, 'stay', 'stays')}.`;
    hide = showToast({ type: 'info', message, stays: true });
  };
  let done = 0;
  try {
    for (const [before, rows] of Map.groupBy(undos, commonBefore)) {
      for (let from = 0; from < rows.length; from += ROWS_OF_CALL) {
        sayHowFar(done);
        const some = rows.slice(from, from + ROWS_OF_CALL);
        reasons.push(...(before === null ? await restoreEach(some) : await restoreTogether(some, before, user)));
        done += some.length;
      }
    }
  } finally {
    hide();
  }
  sayUndone(undos.length - reasons.length, reasons);
};

/** Returns the status that all pings of a stay had before; null if they had several. */
const commonBefore = ({ pings }: Saved): string | null => {
  const had = pings.map((ping) => JSON.stringify(statusBefore(ping)));
  const [first = null] = had;
  return had.every((one) => one === first) ? first : null;
};

/** Sets stays back one by one. Returns why those that failed aren't back. */
const restoreEach = async (undos: readonly Saved[]): Promise<string[]> => {
  const reasons: string[] = [];
  for (const one of undos) await restore(one).catch((error: unknown) => reasons.push(whyNotSaved(error)));
  return reasons;
};

/** Sets stays back in one call. Returns why those that failed aren't back. */
const restoreTogether = async (undos: readonly Saved[], before: string, user: User): Promise<string[]> => {
  const choice = JSON.parse(before) as Choice;
  const rows = undos.map(({ patient, pings, saved }): Row => ({ patient, pings: pingsNow(pings, saved) }));
  try {
    const ids = rows.map(({ patient }) => patient.id);
    const outcomes = await whileSaving(ids, () => send(rows, choice));
    return outcomes.flatMap(({ statusIds, refused }, n) => {
      const { client, patient, pings, putBack } = undos[n] as Saved;
      if (!statusIds) return [refused ? refusedBecause(refused) : ''];
      const back = savedRecords(pings, choice, user, statusIds);
      putBack(back);
      removeFromOtherLists(client, withStatuses(patient, back));
      refreshHistories(client, patient.id, pings);
      return [];
    });
  } catch (error) {
    return undos.map(() => whyNotSaved(error));
  }
};

const send = (rows: readonly Row[], { status, resolutions, otherText }: Choice) =>
  call('POST /api/stays/management-status', {
    body: {
      status,
      ...(resolutions ? { resolutions } : {}),
      ...(otherText ? { otherText } : {}),
      stays: rows.map(({ patient, pings }) => ({
        patientId: patient.id,
        eventIdentifiers: pings.map(({ eventIdentifier }) => eventIdentifier),
        expectedStatusIds: pings.map(({ currentManagementStatus: { id } }) => id),
      })),
    },
  });

/** Gives these stays to someone, or lets them wait. */
export const shareMany = async ({
  client,
  user,
  patients,
  choice,
  onProgress,
}: Omit<Many, 'choice' | 'list'> & { choice: WorkChoice }): Promise<Outcome> => {
  const outcomes = await changeWork({ client, user, patients, choice, onProgress });
  const saved = asSaved(outcomes);
  const before = new Map(patients.map((patient) => [patient.id, patient]));
  return {
    done: saved.length,
    failed: outcomes.flatMap(({ patient, why }) => (why === null ? [] : [{ patient, why }])),
    undo: () =>
      changeBack(saved, (patient) => choiceBefore(before.get(patient.id) ?? patient, choice), { client, user }),
  };
};
