/** Gives stays to people, and lets them wait. Loaded with the detail and with the bar for many rows, from which changes are sent. */
import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { counted } from '#contract/counted.ts';
import type { Patient } from '#contract/patients.ts';
import type { Colleague, StayRefusal, StayWork } from '#contract/worklist.ts';
import { call } from '../api/call.ts';
import { ApiError, reasonOf } from '../api/error.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { announce } from '../ui/announcer.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { showToast } from '../ui/toasts.tsx';
import { pingsOf } from './card.ts';
import { changePatient, putPatient } from './inbox-queries.ts';
import { hideNotSaved, sayNotSaved } from './not-saved.ts';
import { offerUndo } from './offer-undo.ts';
import { nameOf } from './save-statuses.ts';
import { whileSaving } from './status-change.ts';
import { waitingPhrase } from './work-phrase.ts';
import { workHistoryQuery } from './work-queries.ts';

/** Whom a stay is given to, or until when it waits: a day, EVENT for a new event, or null for no longer. */
export type WorkChoice = { kind: 'assign'; to: Colleague | null } | { kind: 'snooze'; until: string | null };

/** More rows are sent in several calls, so that the first ones show early. */
const ROWS_OF_CALL = 50;

/** Returns why a stay was not changed, with who was first and when. */
export const refusedBecause = ({ message, first }: StayRefusal): string =>
  first ? `${message} (${formatDateTime(first.date)})` : message;

/** What became of one stay. `why`: null if it was changed. `isRefused`: the server would refuse it again. */
export interface WorkOutcome {
  patient: Patient;
  work: StayWork | null;
  why: string | null;
  isRefused: boolean;
}

const workOf = ({ card }: Patient): StayWork => card?.work ?? { version: '0', owner: null, waiting: null };

/** Returns the choice that brings back what a stay had. */
export const choiceBefore = (patient: Patient, { kind }: WorkChoice): WorkChoice => {
  const { owner, waiting } = workOf(patient);
  return kind === 'assign' ? { kind, to: owner } : { kind, until: waiting && (waiting.until ?? 'EVENT') };
};

/** Returns a choice in words, as a toast says it. */
export const choiceInWords = (choice: WorkChoice, userId: string): string => {
  if (choice.kind === 'assign')
    return choice.to === null ? 'No owner' : `Taken by ${choice.to.id === userId ? 'you' : choice.to.name}`;
  const { until } = choice;
  return until === null ? 'No longer waiting' : (waitingPhrase({ until: until === 'EVENT' ? null : until }) ?? '');
};

const put = (client: QueryClient, id: string, work: StayWork): void =>
  changePatient(client, id, (row) => (row.card ? { ...row, card: { ...row.card, work } } : row));

/** Returns what a stay will look like, with the version that it has. */
const unconfirmed = (before: StayWork, choice: WorkChoice, { firstName, lastName }: User): StayWork => {
  const [by, at] = [`${firstName} ${lastName}`, new Date().toISOString()];
  if (choice.kind === 'assign') return { ...before, owner: choice.to && { ...choice.to, at, by } };
  const { until } = choice;
  return { ...before, waiting: until === null ? null : { until: until === 'EVENT' ? null : until, by, since: at } };
};

const send = (patients: readonly Patient[], choice: WorkChoice) => {
  const stays = patients.map((patient) => ({ patientId: patient.id, expectedVersion: workOf(patient).version }));
  if (choice.kind === 'assign')
    return call('POST /api/stays/assign', { body: { stays, userId: choice.to?.id ?? null } });
  const seen = stays.map((stay, n) => ({
    ...stay,
    eventIdentifiers: pingsOf(patients[n] as Patient).map(({ eventIdentifier }) => eventIdentifier),
  }));
  return call('POST /api/stays/snooze', { body: { stays: seen, until: choice.until } });
};

/** Loads a stay as it is saved. */
const reload = (client: QueryClient, id: string): void =>
  void client.fetchQuery({ ...patientQuery(id), staleTime: 0 }).then(
    (patient) => putPatient(client, patient),
    () => {},
  );

interface Many {
  client: QueryClient;
  user: User;
  patients: readonly Patient[];
  choice: WorkChoice;
  /** Called after each call with how many stays are done. */
  onProgress?: (finished: number) => void;
}

/** Changes stays, each for itself, and shows each at once. One that is refused is loaded again. */
export const changeWork = async ({ client, user, patients, choice, onProgress }: Many): Promise<WorkOutcome[]> => {
  const outcomes: WorkOutcome[] = [];
  for (let from = 0; from < patients.length; from += ROWS_OF_CALL) {
    const some = patients.slice(from, from + ROWS_OF_CALL);
    for (const patient of some) put(client, patient.id, unconfirmed(workOf(patient), choice, user));
    const ids = some.map(({ id }) => id);
    try {
      const answers = await whileSaving(ids, () => send(some, choice));
      for (const [n, { work, refused }] of answers.entries()) {
        const patient = some[n] as Patient;
        if (work) put(client, patient.id, work);
        else reload(client, patient.id);
        outcomes.push({ patient, work, why: refused && refusedBecause(refused), isRefused: refused !== null });
      }
    } catch (error) {
      for (const patient of some) {
        put(client, patient.id, workOf(patient));
        reload(client, patient.id);
        const isRefused = error instanceof ApiError && error.status < 500;
        outcomes.push({ patient, work: null, why: reasonOf(error), isRefused });
      }
    } finally {
      for (const id of ids) void client.invalidateQueries({ queryKey: workHistoryQuery(id).queryKey });
    }
    onProgress?.(outcomes.length);
  }
  return outcomes;
};

/** Returns the stays with what was saved of them, to change them once more. */
export const asSaved = (outcomes: readonly WorkOutcome[]): Patient[] =>
  outcomes.flatMap(({ patient, work }) =>
    work && patient.card ? [{ ...patient, card: { ...patient.card, work } }] : [],
  );

/** The last change of each stay that is being saved: another one is about what it makes. */
const underWay = new Map<string, Promise<unknown>>();

interface One {
  client: QueryClient;
  user: User;
  /** Takes `undo` back until the next change. */
  noteUndo: (undo: () => void) => void;
}

/** Changes one stay, with a toast that names the patient and offers Undo. */
export const sendWork = async (patient: Patient, choice: WorkChoice, of: One): Promise<void> => {
  const { client, user, noteUndo } = of;
  const told = choiceInWords(choice, user.id);
  hideNotSaved(patient.id);
  await underWay.get(patient.id)?.catch(() => {});
  const current = client.getQueryData<Patient>(patientQuery(patient.id).queryKey) ?? patient;
  const saving = changeWork({ client, user, patients: [current], choice });
  underWay.set(patient.id, saving);
  const [outcome] = await saving;
  if (underWay.get(patient.id) === saving) underWay.delete(patient.id);
  if (!outcome?.work) {
    const retry = outcome?.isRefused ? null : () => void sendWork(patient, choice, of);
    sayNotSaved(patient, `not saved: ${told}. ${outcome?.why ?? ''}`, retry);
    return;
  }
  announce(`${told}. ${patient.lastName}, ${patient.firstName}.`);
  const [saved] = asSaved([outcome]);
  const undo = (): void => {
    if (saved) void changeBack([saved], () => choiceBefore(current, choice), of);
  };
  offerUndo(`${nameOf(patient)}: ${told}.`, undo, noteUndo);
};

/** Brings back what stays had before a change, those that had the same together. */
export const changeBack = async (
  saved: readonly Patient[],
  before: (patient: Patient) => WorkChoice,
  { client, user }: Pick<One, 'client' | 'user'>,
): Promise<void> => {
  const alike = Map.groupBy(saved, (patient) => JSON.stringify(before(patient)));
  const failed: WorkOutcome[] = [];
  for (const patients of alike.values()) {
    const choice = before(patients[0] as Patient);
    const outcomes = await changeWork({ client, user, patients, choice });
    failed.push(...outcomes.filter(({ why }) => why !== null));
  }
  const [first] = saved;
  const why = failed[0]?.why ?? null;
  if (!first || saved.length > 1)
    return sayUndone(
      saved.length - failed.length,
      failed.map((one) => one.why ?? ''),
    );
  const name = nameOf(first);
  showToast(
    why === null
      ? { type: 'success', message: `Undone. ${name}: ${choiceInWords(before(first), user.id)}.` }
      : { type: 'warning', message: `${name}: ${why}` },
  );
};

/** Says how many stays are back as they were. `reasons`: why the others aren't. */
export const sayUndone = (count: number, reasons: readonly string[]): void => {
  const undone = `Undone for ${counted(count, 'stay', 'stays')}`;
  const [why] = reasons;
  showToast(
    why === undefined
      ? { type: 'success', message: `${undone}.` }
      : { type: 'warning', message: `${undone}, ${reasons.length} not. ${why}` },
  );
};
