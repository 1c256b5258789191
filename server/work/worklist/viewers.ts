/** Who has a patient open right now. In a table, because the users of a team may be served by several processes. */
import { VIEWING_LASTS } from '#contract/worklist-words.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { noteContinued } from '#server/people/audit/audited-call.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

const expiredAt = (now: Date): Date => new Date(now.getTime() - VIEWING_LASTS);

/** Notes that the user has the patient open, and returns the names of others on the team who have. Errors: NOT_FOUND. */
export async function noteViewing(tx: ActorTransaction, patientId: string, now: Date): Promise<string[]> {
  const { personId } = await resolvePatient(tx, patientId);
  const { teamId, userId, displayName } = tx.actor;
  await tx.query(sql`
    delete from patient_viewers where team_id = ${teamId} and seen_at <= ${expiredAt(now)}`);
  const { rows } = await tx.query<{ isNew: boolean }>(sql`
    insert into patient_viewers (team_id, person_id, user_id, display_name, seen_at)
    values (${teamId}, ${personId}, ${userId}, ${displayName}, ${now})
    on conflict (team_id, person_id, user_id) do update set seen_at = excluded.seen_at, display_name = excluded.display_name
    returning xmax = 0 as "isNew"`);
  if (!rows[0]?.isNew) noteContinued();
  const { rows: others } = await tx.query<{ name: string }>(sql`
    select display_name as name from patient_viewers
    where team_id = ${teamId} and person_id = ${personId} and user_id <> ${userId} and seen_at > ${expiredAt(now)}
    order by display_name collate "C", user_id`);
  return others.map(({ name }) => name);
}

/** Notes that the user has closed the patient. Errors: NOT_FOUND. */
export async function endViewing(tx: ActorTransaction, patientId: string): Promise<void> {
  const { personId } = await resolvePatient(tx, patientId);
  const { teamId, userId } = tx.actor;
  await tx.query(sql`
    delete from patient_viewers where team_id = ${teamId} and person_id = ${personId} and user_id = ${userId}`);
}

/** Deletes what has expired, of all teams. A daily job: the calls of a team delete its own. */
export async function forgetViewers(database: Queryable, now: Date): Promise<void> {
  await database.query(sql`delete from patient_viewers where seen_at <= ${expiredAt(now)}`);
}
