/** Gives everything that a user has taken to a colleague, at the end of a shift. */
import type { AuditedAction } from '#contract/audited-actions.ts';
import type { HandedOver, OwnStays, TakenBack } from '#contract/worklist.ts';
import type { CallStamp } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badFieldInMessage } from '#server/platform/http/api-error.ts';
import { colleagueName, type WorkRow, writeWork } from './queries.ts';

/** Returns how many stays the user has, and how many of them have an open ping of the transaction's groups. */
export async function countOwn(tx: ActorTransaction): Promise<OwnStays> {
  const { rows } = await tx.query<OwnStays>(sql`
    select count(*)::int as count, count(*) filter (where exists (
      select from pings p where p.encounter_id = w.encounter_id and p.group_id = any (${tx.groupIds}::bigint[])
        and p.management_status in ('NEW', 'IN_PROGRESS')))::int as open
    from stay_work w where w.team_id = ${tx.actor.teamId} and w.owner_id = ${tx.actor.userId}`);
  return rows[0] ?? { count: 0, open: 0 };
}

/**
 * Gives all stays of the user to a colleague, also closed ones, which may reopen. Returns how many. Errors: BAD_REQUEST for someone who is not on
 * the team, or for the user; CHANGED_BY_OTHER if there are more or fewer stays than the user was told.
 */
export async function handOver(
  tx: ActorTransaction,
  { toUserId, expectedCount }: { toUserId: string; expectedCount?: number | undefined },
  { now, requestId }: CallStamp,
): Promise<HandedOver> {
  const name = await colleagueName(tx, toUserId);
  if (name === null || toUserId === tx.actor.userId) {
    const message = 'Choose a colleague who can see pings on this team.';
    throw badFieldInMessage('toUserId', message);
  }
  const { rows } = await tx.query<WorkRow>(sql`
    select id, encounter_id as "encounterId", owner, wait from stay_work
    where team_id = ${tx.actor.teamId} and owner_id = ${tx.actor.userId} order by id for update`);
  if (expectedCount !== undefined && rows.length !== expectedCount)
    throw new ApiError('CHANGED_BY_OTHER', {
      message: `You have ${rows.length} stays by now. Nothing was handed over. Check the number, then try again.`,
    });
  const counted = await countOwn(tx);
  const owner = { id: toUserId, name, at: now.toISOString(), by: tx.actor.displayName };
  const changes = rows.map(({ id: workId, owner: before, wait }) => ({
    workId,
    kind: 'HAND_OVER' as const,
    before: { owner: before, wait },
    after: { owner, wait },
  }));
  await writeWork(tx, changes, now);
  await noteChange(tx);
  await auditEach(
    tx,
    rows.map(({ encounterId }) => encounterId),
    { action: 'stay.hand-over', from: tx.actor.userId, to: toUserId },
    { now, requestId },
  );
  return { ...counted, date: now.toISOString() };
}

/** Takes back what the user handed over at that time, where no one has changed it since. Errors: NOT_FOUND if they handed nothing over then. */
export async function undoHandOver(
  tx: ActorTransaction,
  { date }: { date: string },
  { now, requestId }: CallStamp,
): Promise<TakenBack> {
  const { rows } = await tx.query<WorkRow & { former: WorkRow['owner']; isCurrent: boolean }>(sql`
    select w.id, w.encounter_id as "encounterId", w.owner, w.wait, c.before -> 'owner' as former, w.change_id = c.id as "isCurrent"
    from stay_work_changes c join stay_work w on w.id = c.stay_work_id
    where c.user_id = ${tx.actor.userId} and c.kind = 'HAND_OVER' and c.changed_at = ${date} and w.team_id = ${tx.actor.teamId}
    order by w.id for update of w`);
  const [first] = rows;
  if (!first) throw new ApiError('NOT_FOUND');
  const back = rows.filter(({ isCurrent }) => isCurrent);
  const changes = back.map(({ id: workId, owner, wait, former }) => ({
    workId,
    kind: 'ASSIGN' as const,
    before: { owner, wait },
    after: { owner: former, wait },
  }));
  await writeWork(tx, changes, now);
  await noteChange(tx);
  await auditEach(
    tx,
    back.map(({ encounterId }) => encounterId),
    { action: 'stay.undo', from: back[0]?.owner?.id ?? null, to: tx.actor.userId },
    { now, requestId },
  );
  return { count: back.length, changed: rows.length - back.length };
}

/** Writes an entry for each patient: the oldest listing in the transaction's groups. */
async function auditEach(
  tx: ActorTransaction,
  encounterIds: string[],
  { action, from, to }: { action: AuditedAction; from: string | null; to: string },
  change: CallStamp,
): Promise<void> {
  const { rows } = await tx.query<{ encounterId: string; listingId: string }>(sql`
    select e.id as "encounterId", min(r.id)::text as "listingId"
    from encounters e join roster_patients r on r.person_id = e.person_id
    where e.id = any (${encounterIds}::bigint[]) and r.group_id = any (${tx.groupIds}::bigint[])
    group by e.id order by e.id`);
  const detailOf = (ofPatient: readonly { encounterId: string }[]) => ({
    encounterIds: ofPatient.map(({ encounterId }) => encounterId),
    from,
    to,
  });
  for (const [listingId, ofPatient] of Map.groupBy(rows, (row) => row.listingId))
    await writeAudit(tx, {
      ...change,
      action,
      subject: 'patient',
      subjectId: listingId,
      patientIds: [listingId],
      detail: detailOf(ofPatient),
    });
}
