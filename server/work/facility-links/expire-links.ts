/** A job that runs every minute: records links that expired unused, and stores answers that a failure left unsent. */
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { sendAnswers } from './send-answers.ts';

/** Links that one run ends; the next run ends the others. */
const MOST = 500;
/** In milliseconds. A younger answer is being sent by its own call. */
const UNSENT_FOR = 60_000;

/** `pipeline`: connected as the pipeline role. Returns how many links it ended. */
export async function tendLinks(pipeline: Database, store: MessageStore, now: Date): Promise<number> {
  await sendAnswers({ pipeline, store }, { before: new Date(now.getTime() - UNSENT_FOR) });
  return pipeline.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string; teamId: string; rosterPatientId: string }>(sql`
      update facility_links set expired_at = ${now} where id in (
        select id from facility_links
        where expires_at <= ${now} and answered_at is null and revoked_at is null and locked_at is null and expired_at is null
        order by id limit ${MOST} for update skip locked)
      returning id, team_id as "teamId", roster_patient_id as "rosterPatientId"`);
    for (const { id, teamId, rosterPatientId } of rows) {
      const about = { action: 'facility-link.expire', subject: 'patient', subjectId: rosterPatientId } as const;
      const entry = { ...about, detail: { linkId: id }, now, requestId: null };
      await writeAuditAs(tx, { userId: null, teamId }, entry);
    }
    return rows.length;
  });
}
