/** Gives everything that a user has taken to a colleague, at the end of a shift. */
import type { OwnStays } from '#contract/worklist.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { colleagueName, type WorkRow, writeWork } from './queries.ts';
import type { Change } from './stay-work.ts';

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
  { now, requestId }: Change,
): Promise<OwnStays> {
  const name = await colleagueName(tx, toUserId);
  if (name === null || toUserId === tx.actor.userId) {
    const message = 'Choose a colleague who can see pings on this team.';
    throw new ApiError('BAD_REQUEST', { message, fields: { toUserId: message } });
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
    toUserId,
    { now, requestId },
  );
  return counted;
}

/** Writes an entry for each patient: the oldest listing in the transaction's groups. */
async function auditEach(tx: ActorTransaction, encounterIds: string[], to: string, change: Change): Promise<void> {
  const { rows } = await tx.query<{ encounterId: string; listingId: string }>(sql`
    select e.id as "encounterId", min(r.id)::text as "listingId"
    from encounters e join roster_patients r on r.person_id = e.person_id
    where e.id = any (${encounterIds}::bigint[]) and r.group_id = any (${tx.groupIds}::bigint[])
    group by e.id order by e.id`);
  const detailOf = (ofPatient: readonly { encounterId: string }[]) => ({
    encounterIds: ofPatient.map(({ encounterId }) => encounterId),
    from: tx.actor.userId,
    to,
  });
  for (const [listingId, ofPatient] of Map.groupBy(rows, (row) => row.listingId))
    await writeAudit(tx, {
      ...change,
      action: 'stay.hand-over',
      subject: 'patient',
      subjectId: listingId,
      patientIds: [listingId],
      detail: detailOf(ofPatient),
    });
}
