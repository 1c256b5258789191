/**
 * Changes the management status of a ping. The change covers the pings of the same event in all groups of the team, so teams
 * that share a group share the status. If two people act at once, the first wins, and the other gets an error that names the
 * first (docs/decisions/0010).
 */
import { isOpen, type ManagementStatus, type Resolution } from '#contract/management-status.ts';
import type { ManagementStatusRecord } from '#contract/pings.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { type LockedPing, loadHistory, lockPings, statusRecord } from './queries.ts';
import { writeStatuses } from './write-status.ts';

export interface StatusChangeRequest {
  patientId: string;
  eventIdentifier: string;
  status: ManagementStatus;
  resolutions: Resolution[];
  otherText?: string | null;
  expectedStatusId?: string;
}

/**
 * Writes the status, logs and audits it, and returns the new record. Errors: NOT_FOUND, RESOLUTION_REQUIRED, OTHER_TEXT_REQUIRED,
 * NOT_PERMITTED, PING_CHANGED_BY_OTHER (with the current status).
 */
export async function changeStatus(
  tx: ActorTransaction,
  request: StatusChangeRequest,
  now: Date,
  requestId: string,
): Promise<ManagementStatusRecord> {
  checkResolutions(request);
  const patient = await resolvePatient(tx, request.patientId);
  const pings = await lockPings(tx, patient.personId, request.eventIdentifier);
  if (pings.length === 0) throw new ApiError('NOT_FOUND');
  const backOnCensus = new Set(tx.actor.groupsWith('canResolveBackToCensus'));
  if (request.resolutions.includes('BACK_ON_CENSUS') && !pings.some(({ groupId }) => backOnCensus.has(groupId)))
    throw new ApiError('NOT_PERMITTED');
  await refuseIfChanged(tx, pings, request);
  const { status } = request;
  const resolutions = status === 'RESOLVED' ? request.resolutions : [];
  const otherText = request.otherText?.trim() || null;
  const { userId, username } = tx.actor;
  const written = { status, resolutions, otherText, username };
  const [id = ''] = await writeStatuses(
    tx,
    [
      {
        ...written,
        userId,
        eventId: request.eventIdentifier,
        groupIds: [...new Set(pings.map((ping) => ping.groupId))],
        pingIds: pings.map((ping) => ping.id),
      },
    ],
    now,
  );
  await logChanges(
    tx,
    pings.map(({ groupId }) => ({ kind: 'ping', change: 'status', groupId, subjectId: request.eventIdentifier })),
    now,
  );
  await writeAudit(tx, {
    action: 'ping.status',
    subject: 'event',
    subjectId: request.eventIdentifier,
    detail: { from: pings[0]?.status, to: request.status },
    now,
    requestId,
  });
  return { id, ...written, date: now.toISOString() };
}

/** Returns the status history of a ping, newest first. */
export async function statusHistory(
  tx: ActorTransaction,
  patientId: string,
  eventIdentifier: string,
): Promise<ManagementStatusRecord[]> {
  const patient = await resolvePatient(tx, patientId);
  return loadHistory(tx, patient.personId, eventIdentifier);
}

function checkResolutions({ status, resolutions, otherText }: StatusChangeRequest): void {
  if (resolutions.includes('SYSTEM_RESOLVED')) {
    throw new ApiError('BAD_REQUEST', { fields: { resolutions: 'Only Tidings itself sets SYSTEM_RESOLVED.' } });
  }
  if (status === 'RESOLVED' && resolutions.length === 0) throw new ApiError('RESOLUTION_REQUIRED');
  if (resolutions.includes('OTHER') && !otherText?.trim()) throw new ApiError('OTHER_TEXT_REQUIRED');
}

/**
 * Refuses a change that someone else preceded. With `expectedStatusId`, the record that the caller saw must still be the current
 * one. Without it, a change is refused if another user already set the same status, or closed what the caller wants to close.
 */
async function refuseIfChanged(tx: ActorTransaction, pings: LockedPing[], request: StatusChangeRequest): Promise<void> {
  const latest = pings.reduce((a, b) => (BigInt(b.statusId ?? 0) > BigInt(a.statusId ?? 0) ? b : a));
  if (!latest.statusId || latest.changedBy === tx.actor.userId) {
    if (request.expectedStatusId === undefined || request.expectedStatusId === (latest.statusId ?? '0')) return;
  } else if (request.expectedStatusId === latest.statusId) return;
  const isSame = latest.status === request.status || (!isOpen(latest.status) && !isOpen(request.status));
  if (request.expectedStatusId === undefined && !isSame) return;
  const current = latest.statusId ? await statusRecord(tx, latest.statusId) : null;
  throw new ApiError('PING_CHANGED_BY_OTHER', {
    message: current ? `${current.username} just changed this ping.` : undefined,
    current: current ? { status: current.status, username: current.username, date: current.date } : undefined,
  });
}
