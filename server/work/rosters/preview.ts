/** What an upload would add, change and remove, for those who decide whether to apply it. */
import { ROSTER_COLUMNS, ROSTER_OPTIONAL, type RosterColumn } from '#contract/roster-columns.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { Upload } from './job.ts';
import { LISTED_ROW } from './listed-cells.ts';
import { isMissing } from './missing.ts';

/**
 * Numbers the changes of a checked upload, so that its preview is read page by page. What it says stays true until the upload is applied,
 * because a group has one unfinished upload, and nothing else changes a program's roster.
 */
export async function storePreview(tx: Queryable, upload: Upload): Promise<void> {
  const { id, groupId } = upload;
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
  await countCleared(tx, upload);
}

/** A column that the file leaves out is cleared for everyone, which the changes say only person by person. */
async function countCleared(tx: Queryable, { id }: Upload): Promise<void> {
  // Unknown: a gender that the file doesn't say. In other columns it says nothing either.
  const isEmpty = (value: Sql): Sql => sql`coalesce(${value}, 'null') in ('null', '""', '[]', '"Unknown"')`;
  const { rows } = await tx.query<{ column: RosterColumn; people: number }>(sql`
    select was.key as column, count(*)::int as people
    from roster_upload_changes c join roster_upload_rows r on r.upload_id = c.upload_id and r.row_number = c.row_number
      join roster_patients p on p.id = c.listing_id cross join lateral jsonb_each(jsonb_strip_nulls(${LISTED_ROW})) as was
    where c.upload_id = ${id} and c.kind = 'CHANGED' and was.key = any (${ROSTER_OPTIONAL}::text[])
      and not ${isEmpty(sql`was.value`)} and ${isEmpty(sql`r.cells -> was.key`)}
    group by was.key`);
  const cleared = Object.fromEntries(rows.map(({ column, people }) => [ROSTER_COLUMNS[column].header, people]));
  await tx.query(sql`update roster_uploads set cleared_by_column = ${JSON.stringify(cleared)}::jsonb where id = ${id}`);
}

/** Deletes the preview of an upload that waits no more. */
export const forgetPreview = (tx: Queryable, uploadId: string) =>
  tx.query(sql`delete from roster_upload_changes where upload_id = ${uploadId}`);
