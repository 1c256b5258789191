/** Identifies the persons of a roster's new and changed rows, a chunk per transaction. */
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { recordOpenings } from '#server/record/listings/openings.ts';
import { identifyAll, movedOf } from '#server/record/matching/identify.ts';
import { resendEncounters, sendOpenVisits } from '#server/record/pings/notify.ts';
import type { Upload } from './job.ts';

/** How many rows a transaction identifies. */
export const CHUNK = 1000;

/** Identifies the next rows, at most `limit`. Returns false if none is left. */
export async function identifyRows(tx: Transaction, upload: Upload, now: Date, limit: number): Promise<boolean> {
  const { rows } = await tx.query<{ rowNumber: number; id: string }>(sql`
    select next.row_number as "rowNumber", p.id
    from (
      select row_number, member_id from roster_upload_rows
      where upload_id = ${upload.id} and errors is null and row_number > ${upload.identifiedRow}
      order by row_number limit ${limit}) next
    cross join lateral (
      select id from roster_patients where group_id = ${upload.groupId} and member_id = next.member_id offset 0) p
    order by next.row_number`);
  const last = rows.at(-1);
  if (last === undefined) return false;
  await tx.query(sql`
    update roster_uploads set matched_rows = matched_rows + ${rows.length}, identified_row = ${last.rowNumber}
    where id = ${upload.id}`);
  const subjects = rows.map(({ id }) => ({ kind: 'ROSTER_PATIENT' as const, id }));
  const { relinked } = await identifyAll(tx, subjects, { now });
  const { movedEncounters, movedListings } = movedOf(relinked);
  const listingIds = [...new Set([...subjects.map(({ id }) => id), ...movedListings])];
  await recordOpenings(tx, { listingIds }, { now });
  if (movedEncounters.length > 0) await resendEncounters(tx, movedEncounters, now);
  await sendOpenVisits(tx, listingIds, now);
  return true;
}
