import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { counted } from '#contract/counted.ts';
import { MANAGEMENT_STATUS_LABELS, STATUS_CHANGE_FAILED } from '#contract/management-status.ts';
import type { Patient, PatientResults } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { ApiError } from '../api/error.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { forgetDraft } from '../session/drafts.ts';
import { announce } from '../ui/announcer.tsx';
import { showToast } from '../ui/toasts.tsx';
import { pingsOf, type StatusRecord } from './card.ts';
import { fits, recordsFor, targetsOf, withoutLater, withStatuses } from './changed-stay.ts';
import { pingsQuery, putPatient, removeRow } from './inbox-queries.ts';
import type { InboxList } from './inbox-search.ts';
import { refreshHistories, restoreRow } from './moved-rows.ts';
import { hideNotSaved, sayNotSaved, watchUser } from './not-saved.ts';
import { nameOf, saveStatuses } from './save-statuses.ts';
import { type Change, type Choice, resolutionDraft, SAVING, type Unsaved, whileSaving } from './status-change.ts';
import { undoChange } from './undo-change.ts';

/** The page from which a change is sent. */
export interface Sender {
  client: QueryClient;
  list: InboxList;
  user: User;
  setUnsaved: (patientId: string, why: Unsaved | null) => void;
  /** Called when the row leaves the list. */
  onLeave: () => void;
  /** Opens the row again, which is back because the change was not saved; null if the selection hasn't moved. */
  comeBack: (() => void) | null;
  /** Takes the last change back, also while it is being saved. */
  lastUndo: { current: (() => void) | null };
}

/** Shows a change before the server confirms it. `onLeave`: moves on from a row that leaves the list. A closed stay leaves the open lists, a reopened one leaves the closed lists. */
const showUnconfirmed = (
  client: QueryClient,
  list: InboxList,
  { patient, choice }: Change,
  pings: readonly Ping[],
  user: User,
  onLeave: () => void,
): { leaves: boolean; putBack: (records: ReadonlyMap<string, StatusRecord>) => void } => {
  const rows = client.getQueryData<PatientResults>(pingsQuery(list.parameters).queryKey)?.patients ?? [];
  const index = rows.findIndex(({ id }) => id === patient.id);
  const shown = withStatuses(patient, recordsFor(pings, choice, user));
  const leaves = index >= 0 && !fits(shown, list);
  // First, so that what closes isn't rendered once more.
  if (leaves) onLeave();
  putPatient(client, shown);
  if (leaves) removeRow(client, list.parameters, patient.id);
  return {
    leaves,
    putBack: (previous) => {
      const restored = withStatuses(patient, previous);
      if (leaves && fits(restored, list)) restoreRow(client, list.parameters, restored, index);
      else putPatient(client, restored);
    },
  };
};

const recordsBefore = (pings: readonly Ping[]): Map<string, StatusRecord> =>
  new Map(pings.map(({ eventIdentifier, currentManagementStatus }) => [eventIdentifier, currentManagementStatus]));

/** Returns a patient as the page has them now. */
const currentOf = (client: QueryClient, patient: Patient): Patient =>
  client.getQueryData<Patient>(patientQuery(patient.id).queryKey) ?? patient;

/**
 * Returns the pings that a change is about, with the records that the server made of the change before, where its answer
 * came after the page that the user saw. What somebody else changed since stays unknown to them: the server has to refuse it.
 */
const targetsNow = (client: QueryClient, change: Change): Ping[] => {
  const records = recordsBefore(pingsOf(currentOf(client, change.patient)));
  return targetsOf(change).map((ping) => ({
    ...ping,
    currentManagementStatus:
      (ping.currentManagementStatus.id === SAVING && records.get(ping.eventIdentifier)) || ping.currentManagementStatus,
  }));
};

/** The last change of each patient that is being saved. */
const underWay = new Map<string, Promise<ReadonlyMap<string, StatusRecord>>>();

/** Saves a change after those of the patient that were sent before: it is about the records that these make. Fails if one of them does. */
const saveInTurn = async ({ patient, choice }: Change, pings: readonly Ping[]) => {
  const earlier = underWay.get(patient.id);
  const save = async () => {
    const records = await earlier;
    const asSaved = pings.map((ping) => ({
      ...ping,
      currentManagementStatus: records?.get(ping.eventIdentifier) ?? ping.currentManagementStatus,
    }));
    return saveStatuses(patient, asSaved, choice);
  };
  const saving = whileSaving([patient.id], save);
  underWay.set(patient.id, saving);
  try {
    return { saved: await saving, isLast: underWay.get(patient.id) === saving };
  } finally {
    if (underWay.get(patient.id) === saving) underWay.delete(patient.id);
  }
};

/** Announces that a row has left the list, and returns how to come back to it: false if the reader is at something else by then. */
const noteLeaving = ({ patient }: Change, { client, list, comeBack }: Sender): (() => boolean) => {
  const left = client.getQueryData<PatientResults>(pingsQuery(list.parameters).queryKey)?.total ?? 0;
  announce(`Done. ${patient.lastName}, ${patient.firstName}. ${left} left.`);
  const endWatch = watchUser();
  return () => {
    if (!endWatch() || !comeBack) return false;
    comeBack();
    return true;
  };
};

/** Returns how many pings got the status, if it wasn't a single one: of a stay that is resolved, what the sender retracted is dismissed. */
const howMany = (saved: ReadonlyMap<string, StatusRecord>, { status }: Choice): string => {
  const dismissed = [...saved.values()].filter((record) => record.status !== status).length;
  const rest = dismissed > 0 ? `; ${counted(dismissed, 'retracted ping', 'retracted pings')} dismissed` : '';
  return saved.size > 1 ? ` (${counted(saved.size - dismissed, 'ping', 'pings')}${rest})` : '';
};

/** Shows a change in the same frame, and saves it. If the server refuses it, it is put back and noted as not saved. */
export const sendChange = async (change: Change, sender: Sender): Promise<void> => {
  const { client, list, user, setUnsaved, lastUndo } = sender;
  const { ping, single, choice } = change;
  // What came after the user saw it stays on the page.
  const patient = currentOf(client, change.patient);
  const pings = targetsNow(client, change);
  setUnsaved(patient.id, null);
  hideNotSaved(patient.id);
  const { leaves, putBack } = showUnconfirmed(client, list, { ...change, patient }, pings, user, sender.onLeave);
  const comeBack = leaves ? noteLeaving(change, sender) : null;
  let isUndoWanted = false;
  const undoOnceSaved = (): void => {
    isUndoWanted = true;
  };
  lastUndo.current = undoOnceSaved;
  try {
    const { saved, isLast } = await saveInTurn(change, pings);
    if (isLast) putPatient(client, withStatuses(patient, saved));
    refreshHistories(client, patient.id, pings);
    forgetDraft(resolutionDraft(patient.id));
    const takeBack = () => undoChange({ client, patient, pings, saved, putBack });
    if (isUndoWanted) return await takeBack();
    const undo = (): void => {
      if (lastUndo.current === undo) lastUndo.current = null;
      removeToast();
      void takeBack();
    };
    if (lastUndo.current === undoOnceSaved) lastUndo.current = undo;
    const removeToast = showToast({
      type: 'success',
      message: `${nameOf(patient)}: ${MANAGEMENT_STATUS_LABELS[choice.status]}${howMany(saved, choice)}.`,
      action: { label: 'Undo', run: undo },
    });
  } catch (error) {
    putBack(recordsBefore(pings));
    const isBack = comeBack?.() ?? false;
    const conflict = error instanceof ApiError && error.errorKey === 'PING_CHANGED_BY_OTHER';
    // What it followed on was not saved either, and what was put back is what the user saw, which somebody else has changed.
    const refused = error instanceof ApiError && error.status === 409;
    if (refused || pings.some(({ currentManagementStatus: { id } }) => id === SAVING))
      void client.fetchQuery({ ...patientQuery(patient.id), staleTime: 0 }).then(
        (current) => putPatient(client, current),
        () => {},
      );
    if (lastUndo.current === undoOnceSaved) lastUndo.current = null;
    const { eventIdentifier } = ping;
    const current = (conflict && error.current) || null;
    const said = refused && !conflict ? error.message : undefined;
    const events = pings.map((one) => one.eventIdentifier);
    setUnsaved(patient.id, { eventIdentifier, single, choice, events, current, said });
    const message = refused ? error.message : STATUS_CHANGE_FAILED;
    // A ping that is open shows the conflict itself. If the reader has moved on to the next one, only a toast reaches them.
    if (!refused || (leaves && !isBack))
      // Someone else's change is to be read first. A retry moves nothing, because the reader may be anywhere by then.
      sayNotSaved(
        patient,
        message,
        refused ? null : () => void sendChange(change, { ...sender, onLeave: () => {}, comeBack: null }),
      );
  }
};

/** Loads a patient as saved on the server, into the lists too. */
const reload = async (client: QueryClient, id: string): Promise<Patient> => {
  const patient = await client.fetchQuery({ ...patientQuery(id), staleTime: 0 });
  putPatient(client, patient);
  void client.invalidateQueries({ queryKey: ['ping-history', id] });
  return patient;
};

/** Shows what is saved on the server, and forgets what was typed for the change that was not saved. */
export const takeTheirs = async (client: QueryClient, id: string): Promise<void> => {
  await reload(client, id);
  hideNotSaved(id);
  forgetDraft(resolutionDraft(id));
};

/** Returns a change that was not saved, about the ping as it is saved now; null without an answer: the notice stays, and with it the way to try again. */
export const changeAgain = async (client: QueryClient, id: string, mine: Unsaved): Promise<Change | null> => {
  const patient = await reload(client, id).catch(() => null);
  const ping =
    patient?.currentPingEncounter?.pings.find((one) => one.eventIdentifier === mine.eventIdentifier) ??
    patient?.currentPing;
  if (!patient || !ping || (mine.single && ping.eventIdentifier !== mine.eventIdentifier)) return null;
  return { ...withoutLater({ patient, ping }, mine.events), single: mine.single, choice: mine.choice };
};
