/** Ends consents whose last day is over (42 CFR 2.31(a)(7)): a job that runs every minute. */
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { lockPerson, publishHidden } from '#server/record/pings/held-back.ts';
import { consentInForce } from './queries.ts';

interface Expired {
  id: string;
  personId: string;
  rosterPatientId: string | null;
  facilityId: string;
  recipientId: string;
}

/** Consents that one run ends; the next run ends the others. */
const MOST = 1000;

/** Ends the consents that have expired by `now`, as if by hand but by no one, and returns how many. `db`: the pipeline's. */
export async function endExpiredConsents(db: Database, now: Date): Promise<number> {
  const { rows } = await db.query<Expired>(sql`
    select c.id, c.person_id as "personId", c.roster_patient_id as "rosterPatientId", c.facility_group_id as "facilityId",
      c.recipient_group_id as "recipientId"
    from consents c join groups g on g.id = c.facility_group_id
    where c.ended_at is null and (c.expires_on + 1)::timestamp at time zone g.time_zone <= ${now}
    order by c.id limit ${MOST}`);
  for (const expired of rows) await db.transaction((tx) => end(tx, expired, now));
  return rows.length;
}

async function end(tx: Transaction, { id, rosterPatientId, ...of }: Expired, now: Date): Promise<void> {
  await lockPerson(tx, of.personId);
  const { rowCount } = await tx.query(sql`update consents set ended_at = ${now} where id = ${id} and ended_at is null`);
  if (rowCount === 0) return;
  if ((await consentInForce(tx, of)) === undefined) await publishHidden(tx, of, now);
  await noteChange(tx);
  const detail = { consentId: id, facilityId: of.facilityId, recipientId: of.recipientId };
  const about = { action: 'consent.expire', subject: 'patient', subjectId: rosterPatientId } as const;
  await writeAuditAs(tx, { userId: null }, { ...about, detail, now, requestId: null });
}
