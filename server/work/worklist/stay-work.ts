/**
 * Who on a team has taken a stay, and until when it waits (docs/decisions/0064). Of two people who change it at once, the first wins: a
 * caller sends the version that it saw, and gets an error that names the first if there is another one by now.
 */
import type { AuditedAction } from '#contract/audited-actions.ts';
import { DAY } from '#contract/durations.ts';
import { isOpen } from '#contract/management-status.ts';
import type { StayWork, WorkChange } from '#contract/worklist.ts';
import { MOST_SNOOZE_DAYS } from '#contract/worklist-words.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { type ResolvedPatient, resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import { ApiError, badFieldInMessage } from '#server/platform/http/api-error.ts';
import { statusRecord } from '#server/record/pings/queries.ts';
import { type Arrangement, type Wait, workOf } from './arrangement.ts';
import {
  changesOfVisit,
  colleagueName,
  lockStayPings,
  lockWork,
  type StayPing,
  type WorkRow,
  writeWork,
} from './queries.ts';

/** A stay of the inbox, locked. */
interface LockedStay {
  patient: ResolvedPatient;
  pings: StayPing[];
  work: WorkRow;
}

interface SeenStay {
  patientId: string;
  expectedVersion: string;
}

/**
 * Gives a stay to a user of the team, or with null to no one. Errors: NOT_FOUND, also if it is no row of the inbox; BAD_REQUEST for someone
 * who is not on the team; CHANGED_BY_OTHER with who and when.
 */
export async function assignStay(
  tx: ActorTransaction,
  { patientId, expectedVersion, userId }: SeenStay & { userId: string | null },
  change: CallStamp,
): Promise<StayWork> {
  const name = userId === null ? null : await colleagueName(tx, userId);
  if (userId !== null && name === null)
    throw badFieldInMessage('userId', 'Choose someone who can see pings on this team.');
  const stay = await lockStay(tx, patientId);
  refuseIfChanged(stay.work, expectedVersion);
  const { displayName: by } = tx.actor;
  const owner = userId === null || name === null ? null : { id: userId, name, at: change.now.toISOString(), by };
  return write(tx, stay, { kind: 'ASSIGN', after: { owner, wait: stay.work.wait }, action: 'stay.assign' }, change);
}

/**
 * Lets a stay wait until a day or a new event, or with null no longer. `eventIdentifiers`: the pings that the caller saw. Errors as
 * `assignStay`; CHANGED_BY_OTHER also if there is a ping that the caller has not seen; PING_CHANGED_BY_OTHER if the stay is closed by now;
 * BAD_REQUEST for a day that is past or too far ahead.
 */
export async function snoozeStay(
  tx: ActorTransaction,
  {
    patientId,
    expectedVersion,
    eventIdentifiers,
    until,
  }: SeenStay & { eventIdentifiers: string[]; until: string | null },
  change: CallStamp,
): Promise<StayWork> {
  const day = until === null || until === 'EVENT' ? null : dayOfWait(until, tx, change.now);
  const stay = await lockStay(tx, patientId);
  refuseIfChanged(stay.work, expectedVersion);
  let wait: Wait | null = null;
  if (until !== null) {
    await refuseIfClosed(tx, stay.pings);
    const seen = new Set(eventIdentifiers);
    if (stay.pings.some(({ eventId }) => !seen.has(eventId)))
      throw new ApiError('CHANGED_BY_OTHER', {
        message: 'A new event arrived, so this patient isn’t waiting. Look at it, then try again.',
        standing: { version: stay.work.changeId, last: null },
      });
    const { displayName: by } = tx.actor;
    wait = {
      until: day && until,
      wakesAt: day,
      seen: stay.pings.map(({ eventId }) => eventId),
      by,
      since: change.now.toISOString(),
    };
  }
  return write(tx, stay, { kind: 'SNOOZE', after: { owner: stay.work.owner, wait }, action: 'stay.snooze' }, change);
}

/** Returns who has given the stay to whom, newest first. Errors: NOT_FOUND. */
export async function workHistory(tx: ActorTransaction, patientId: string): Promise<WorkChange[]> {
  const { encounterId } = await resolvePatient(tx, patientId);
  return encounterId === null ? [] : changesOfVisit(tx, encounterId);
}

/** Sets what was arranged before a change of the actor's, if it is the last one. Errors: NOT_FOUND, CHANGED_BY_OTHER. */
export async function undoWork(
  tx: ActorTransaction,
  { patientId, changeId }: { patientId: string; changeId: string },
  before: Arrangement,
  change: CallStamp,
): Promise<void> {
  const stay = await lockStay(tx, patientId);
  refuseIfChanged(stay.work, changeId);
  const kind = before.owner?.id === stay.work.owner?.id ? 'SNOOZE' : 'ASSIGN';
  await write(tx, stay, { kind, after: before, action: 'stay.undo' }, change);
}

async function lockStay(tx: ActorTransaction, patientId: string): Promise<LockedStay> {
  const patient = await resolvePatient(tx, patientId);
  const { personId, encounterId } = patient;
  // The pings first, as in a change of status, so that two calls wait for each other in the same order.
  const pings = encounterId === null ? [] : await lockStayPings(tx, { personId, encounterId });
  if (encounterId === null || pings.length === 0) throw new ApiError('NOT_FOUND');
  return { patient, pings, work: await lockWork(tx, encounterId) };
}

async function write(
  tx: ActorTransaction,
  { patient, pings, work }: LockedStay,
  { kind, after, action }: { kind: WorkChange['kind']; after: Arrangement; action: AuditedAction },
  { now, requestId }: CallStamp,
): Promise<StayWork> {
  const { owner, wait } = work;
  const [changeId = ''] = await writeWork(tx, [{ workId: work.id, kind, before: { owner, wait }, after }], now);
  await noteChange(tx);
  const waits = after.wait && (after.wait.until ?? 'EVENT');
  await writeAudit(tx, {
    action,
    subject: 'patient',
    subjectId: patient.rosterPatientId,
    patientIds: [patient.rosterPatientId],
    detail: { encounterId: work.encounterId, from: owner?.id ?? null, to: after.owner?.id ?? null, waits },
    now,
    requestId,
  });
  return workOf(
    { ...after, changeId },
    {
      eventIds: pings.map(({ eventId }) => eventId),
      isOpen: pings.some(({ status }) => isOpen(status)),
      now: now.getTime(),
    },
  );
}

function refuseIfChanged({ changeId, last }: WorkRow, expectedVersion: string): void {
  if (changeId === expectedVersion) return;
  throw new ApiError('CHANGED_BY_OTHER', {
    message: last ? `${last.name} just changed who has this patient, or whether it waits.` : undefined,
    standing: { version: changeId, last: last && { name: last.name, date: new Date(last.date).toISOString() } },
  });
}

async function refuseIfClosed(tx: ActorTransaction, pings: readonly StayPing[]): Promise<void> {
  if (pings.some(({ status }) => isOpen(status))) return;
  const latest = pings.reduce((a, b) => (BigInt(b.statusId ?? 0) > BigInt(a.statusId ?? 0) ? b : a));
  const current = await statusRecord(tx, latest.statusId ?? '0');
  const by = current && (current.displayName ?? current.username);
  throw new ApiError('PING_CHANGED_BY_OTHER', {
    message: by ? `${by} just closed this ping.` : undefined,
    current: current ?? undefined,
  });
}

/** Returns when a day begins for the user. Errors: BAD_REQUEST unless the day is tomorrow or one of the 29 after it. */
function dayOfWait(until: string, { actor: { timeZone } }: ActorTransaction, now: Date): string {
  const midnight = Date.parse(until);
  const today = Date.parse(localDateOf(now.getTime(), timeZone));
  const days = (midnight - today) / DAY;
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== until)
    throw badFieldInMessage('until', 'Not a valid date. Use MM/DD/YYYY.');
  if (days < 1 || days > MOST_SNOOZE_DAYS)
    throw badFieldInMessage('until', `Choose a day within the next ${MOST_SNOOZE_DAYS} days.`);
  return new Date(instantOfLocal(midnight, timeZone)).toISOString();
}
