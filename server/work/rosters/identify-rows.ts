/** Identifies the persons of a roster's new and changed rows, a chunk per transaction. */
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { recordOpenings } from '#server/record/listings/openings.ts';
import { identifyAll, movedOf } from '#server/record/matching/identify.ts';
import { resendEncounters, sendOpenVisits } from '#server/record/pings/notify.ts';
import type { Upload } from './job.ts';

/** How many rows a transaction identifies. */
export const CHUNK = 1000;

/** Identifies the next rows, at most `limit`, after row `after`. Returns the number of the last row, or null if none is left. */
export async function identifyRows(
  tx: Transaction,
  upload: Upload,
  now: Date,
  { after, limit }: { after: number; limit: number },
): Promise<number | null> {
  const { rows } = await tx.query<{ rowNumber: number; id: string }>(sql`
    with next as (
      select row_number from roster_upload_rows
      where upload_id = ${upload.id} and errors is null and row_number > ${after} order by row_number limit ${limit}),
    taken as (
      delete from roster_upload_rows r using next
      where r.upload_id = ${upload.id} and r.row_number = next.row_number returning r.row_number, r.member_id)
    select t.row_number as "rowNumber", p.id
    from taken t cross join lateral (
      select id from roster_patients where group_id = ${upload.groupId} and member_id = t.member_id offset 0) p
    order by t.row_number`);
  const last = rows.at(-1);
  if (last === undefined) return null;
  await tx.query(sql`update roster_uploads set matched_rows = matched_rows + ${rows.length} where id = ${upload.id}`);
  const subjects = rows.map(({ id }) => ({ kind: 'ROSTER_PATIENT' as const, id }));
  const { relinked } = await identifyAll(tx, subjects, { now });
  const { movedEncounters, movedListings } = movedOf(relinked);
  const listingIds = [...new Set([...subjects.map(({ id }) => id), ...movedListings])];
  await recordOpenings(tx, { listingIds }, { now });
  if (movedEncounters.length > 0) await resendEncounters(tx, movedEncounters, now);
  await sendOpenVisits(tx, listingIds, now);
  return last.rowNumber;
}
