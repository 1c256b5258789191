/**
 * Changes the management status of pings of a patient. A change covers the pings of an event in all groups of the team, so teams
 * that share a group share the status. If two people act at once, the first wins, and the other gets an error that names the
 * first (docs/decisions/0010).
 */
import { isOpen, type ManagementStatus, type Resolution, SYSTEM_USERNAME } from '#contract/management-status.ts';
import type { ManagementStatusRecord } from '#contract/pings.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { creatorGroup, type LockedPing, loadHistory, lockPings, statusRecord } from './queries.ts';
import { writeStatuses } from './write-status.ts';

interface NewStatus {
  patientId: string;
  status: ManagementStatus;
  resolutions: Resolution[];
  otherText?: string | null;
}

export interface StatusChangeRequest extends NewStatus {
  eventIdentifier: string;
  expectedStatusId?: string;
}

export interface StatusChangesRequest extends NewStatus {
  eventIdentifiers: readonly string[];
  /** In the order of the events. */
  expectedStatusIds?: readonly string[];
}

/** Changes one ping and returns the new record. Errors as `changeStatuses`. */
export async function changeStatus(
  tx: ActorTransaction,
  { eventIdentifier, expectedStatusId, ...request }: StatusChangeRequest,
  now: Date,
  requestId: string,
): Promise<ManagementStatusRecord> {
  const events = {
    eventIdentifiers: [eventIdentifier],
    ...(expectedStatusId ? { expectedStatusIds: [expectedStatusId] } : {}),
  };
  const [changed] = await changeStatuses(tx, { ...request, ...events }, now, requestId);
  const { eventIdentifier: _, ...record } = changed as ChangedStatus;
  return record;
}

export type ChangedStatus = ManagementStatusRecord & { eventIdentifier: string };

/**
 * Writes the status to the pings of these events, all or none, logs and audits each, and returns the new records. Nothing is resolved that did not
 * happen: with the rest of a stay, the ping of a retracted event is dismissed, and it can't be resolved by itself. Errors: NOT_FOUND if one of them is
 * not a ping of this patient, RESOLUTION_REQUIRED, OTHER_TEXT_REQUIRED, BAD_REQUEST, NOT_PERMITTED, PING_RETRACTED, PING_CHANGED_BY_OTHER (with the current status).
 */
export async function changeStatuses(
  tx: ActorTransaction,
  { patientId, eventIdentifiers, expectedStatusIds, ...request }: StatusChangesRequest,
  now: Date,
  requestId: string,
): Promise<ChangedStatus[]> {
  checkResolutions(request);
  const patient = await resolvePatient(tx, patientId);
  const eventIds = [...new Set(eventIdentifiers)];
  const pingsOf = Map.groupBy(await lockPings(tx, patient.personId, eventIds), ({ eventId }) => eventId);
  if (eventIds.some((eventId) => !pingsOf.has(eventId))) throw new ApiError('NOT_FOUND');
  if (request.resolutions.includes('BACK_ON_CENSUS')) await checkBackOnCensus(tx, patient.personId);
  for (const eventId of eventIds) {
    const expectedStatusId = expectedStatusIds?.[eventIdentifiers.indexOf(eventId)];
    await refuseIfChanged(tx, pingsOf.get(eventId) ?? [], { status: request.status, expectedStatusId });
  }
  const isResolving = request.status === 'RESOLVED';
  const isRetracted = (eventId: string) => pingsOf.get(eventId)?.every((ping) => ping.isRetracted) ?? false;
  if (isResolving && eventIds.every(isRetracted)) throw new ApiError('PING_RETRACTED');
  const { userId, username, displayName } = tx.actor;
  const given = {
    status: request.status,
    resolutions: isResolving ? request.resolutions : [],
    otherText: request.otherText?.trim() || null,
  };
  const dismissed = { status: 'DISMISSED' as const, resolutions: [], otherText: null };
  const changes = eventIds.map((eventId) => {
    const pings = pingsOf.get(eventId) ?? [];
    const groupIds = [...new Set(pings.map(({ groupId }) => groupId))];
    const written = isResolving && isRetracted(eventId) ? dismissed : given;
    return { ...written, userId, username, displayName, eventId, groupIds, pingIds: pings.map(({ id }) => id) };
  });
  const ids = await writeStatuses(tx, changes, now);
  await logChanges(
    tx,
    changes.flatMap(({ eventId, groupIds }) =>
      groupIds.map((groupId) => ({ kind: 'ping' as const, change: 'status', groupId, subjectId: eventId })),
    ),
    now,
  );
  for (const { eventId, status } of changes) {
    const detail = { from: pingsOf.get(eventId)?.[0]?.status, to: status };
    await writeAudit(tx, { action: 'ping.status', subject: 'event', subjectId: eventId, detail, now, requestId });
  }
  return changes.map(({ eventId: eventIdentifier, status, resolutions, otherText }, n) => ({
    eventIdentifier,
    id: ids[n] ?? '',
    status,
    resolutions,
    otherText,
    username,
    displayName,
    date: now.toISOString(),
  }));
}

/** The group that created the patient decides, as in `card.abilities`: the oldest listing's. */
async function checkBackOnCensus(tx: ActorTransaction, personId: string): Promise<void> {
  const groupId = await creatorGroup(tx, personId);
  if (!groupId || !tx.actor.groupsWith('canResolveBackToCensus').includes(groupId)) throw new ApiError('NOT_PERMITTED');
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

function checkResolutions({ status, resolutions, otherText }: Omit<NewStatus, 'patientId'>): void {
  if (resolutions.includes('SYSTEM_RESOLVED')) {
    throw badField('resolutions', 'Only Tidings itself sets SYSTEM_RESOLVED.');
  }
  if (status === 'RESOLVED' && resolutions.length === 0) throw new ApiError('RESOLUTION_REQUIRED');
  if (resolutions.includes('OTHER') && !otherText?.trim()) throw new ApiError('OTHER_TEXT_REQUIRED');
}

/**
 * Refuses a change that someone else preceded. With `expectedStatusId`, the record that the caller saw must still be the current
 * one. Without it, a change is refused if another user already set the same status, or closed what the caller wants to close.
 */
async function refuseIfChanged(
  tx: ActorTransaction,
  pings: readonly LockedPing[],
  request: { status: ManagementStatus; expectedStatusId: string | undefined },
): Promise<void> {
  const latest = pings.reduce((a, b) => (BigInt(b.statusId ?? 0) > BigInt(a.statusId ?? 0) ? b : a));
  if (!latest.statusId || latest.changedBy === tx.actor.userId) {
    if (request.expectedStatusId === undefined || request.expectedStatusId === (latest.statusId ?? '0')) return;
  } else if (request.expectedStatusId === latest.statusId) return;
  const isSame = latest.status === request.status || (!isOpen(latest.status) && !isOpen(request.status));
  if (request.expectedStatusId === undefined && !isSame) return;
  const current = latest.statusId ? await statusRecord(tx, latest.statusId) : null;
  if (!current) throw new ApiError('PING_CHANGED_BY_OTHER');
  const { status, username, displayName, otherText, date } = current;
  throw new ApiError('PING_CHANGED_BY_OTHER', {
    message:
      username === SYSTEM_USERNAME
        ? `This ping just changed automatically. ${otherText ?? ''}`.trim()
        : `${displayName ?? username} just changed this ping.`,
    current: { status, username, displayName, otherText, date },
  });
}
