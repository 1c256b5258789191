/** What an upload would add, change and remove, for those who decide whether to apply it. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Upload } from './job.ts';
import { isMissing } from './missing.ts';

/**
 * Numbers the changes of a checked upload, so that its preview is read page by page. What it says stays true until the upload is applied,
 * because a group has one unfinished upload, and nothing else changes a program's roster.
 */
export async function storePreview(tx: Queryable, { id, groupId }: Upload): Promise<void> {
  const file = sql`roster_upload_rows r left join roster_patients p on p.group_id = ${groupId} and p.member_id = r.member_id`;
  const isUsable = sql`r.upload_id = ${id} and r.errors is null`;
  await tx.query(sql`
    insert into roster_upload_changes (upload_id, kind, position, row_number, listing_id)
    select ${id}, 'ADDED', row_number() over (order by r.row_number), r.row_number, p.id from ${file}
    where ${isUsable} and (p.id is null or p.left_at is not null)`);
  await tx.query(sql`
    insert into roster_upload_changes (upload_id, kind, position, row_number, listing_id)
    select ${id}, 'CHANGED', row_number() over (order by r.row_number), r.row_number, p.id from ${file}
    where ${isUsable} and p.id is not null and p.left_at is null and p.content_hash is distinct from r.content_hash`);
  await tx.query(sql`
    insert into roster_upload_changes (upload_id, kind, position, listing_id)
    select ${id}, 'REMOVED', row_number() over (order by p.sort_last, p.sort_first, p.id), p.id from roster_patients p
    where p.group_id = ${groupId} and p.left_at is null and ${isMissing(id)}`);
}

/** Deletes the preview of an upload that waits no more. */
export const forgetPreview = (tx: Queryable, uploadId: string) =>
  tx.query(sql`delete from roster_upload_changes where upload_id = ${uploadId}`);
