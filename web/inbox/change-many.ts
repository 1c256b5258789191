import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { counted } from '#contract/counted.ts';
import { EVENT_LABELS } from '#contract/event-codes.ts';
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
import { asKnown, newSince, type SelectedStay } from './selected-stay.ts';
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
  /** Rows that were changed except for events that came after they were selected. */
  unseen: { patient: Patient; why: string }[];
  /** Takes back what was done. */
  undo: () => Promise<void>;
}

interface Many {
  client: QueryClient;
  list: InboxList;
  user: User;
  stays: readonly SelectedStay[];
  choice: Choice;
  /** Called after each call with how many rows are finished. */
  onProgress: (finished: number) => void;
}

interface Row {
  patient: Patient;
  pings: Ping[];
  /** What the user hasn't selected. */
  later: Ping[];
}

/**
 * Changes the pings of each of these stays that were open when it was selected, many stays in one call. A row that fails harms no other
 * one: the server refuses what a colleague has changed since.
 */
export const changeMany = async ({ client, list, user, stays, choice, onProgress }: Many): Promise<Outcome> => {
  const failed: Outcome['failed'] = [];
  const unseen: Outcome['unseen'] = [];
  const undos: Saved[] = [];
  const rows = stays.flatMap((stay): Row[] => {
    const known = asKnown(stay, user);
    const ping = headlineOf(known);
    const pings = ping ? targetsOf({ patient: known, ping, single: false }) : [];
    return ping ? [{ patient: stay.now, pings, later: newSince(stay) }] : [];
  });
  const save = ({ patient, pings, later }: Row, statusIds: readonly string[]): void => {
    const saved = savedRecords(pings, choice, user, statusIds);
    const changed = withStatuses(patient, saved);
    putPatient(client, changed);
    refreshHistories(client, patient.id, pings);
    if (!fits(changed, list)) removeRow(client, list.parameters, patient.id);
    const putBack = (back: ReadonlyMap<string, StatusRecord>) => putPatient(client, withStatuses(patient, back));
    undos.push({ client, patient, pings, saved, putBack });
    if (later[0]) unseen.push({ patient, why: notChanged(later[0]) });
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
  return { done: undos.length, failed, unseen, undo };
};

const notChanged = ({ status }: Ping): string => `A new event arrived: ${EVENT_LABELS[status]}. It wasn't changed.`;

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
  const rows = undos.map(({ patient, pings, saved }): Row => ({ patient, pings: pingsNow(pings, saved), later: [] }));
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
  stays,
  choice,
  onProgress,
}: Omit<Many, 'choice' | 'list'> & { choice: WorkChoice }): Promise<Outcome> => {
  const patients = stays.map((stay) => asKnown(stay, user));
  const outcomes = await changeWork({ client, user, patients, choice, onProgress });
  const saved = asSaved(outcomes);
  const before = new Map(patients.map((patient) => [patient.id, patient]));
  return {
    done: saved.length,
    failed: outcomes.flatMap(({ patient, why }) => (why === null ? [] : [{ patient, why }])),
    unseen: [],
    undo: () =>
      changeBack(saved, (patient) => choiceBefore(before.get(patient.id) ?? patient, choice), { client, user }),
  };
};
