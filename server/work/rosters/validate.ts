/** Checks a complete upload: duplicate member IDs, and how many patients it would add, change and remove. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Upload } from './job.ts';
import { isMissing, isUnplaced } from './missing.ts';

/** A file that would remove more than half of a roster larger than this needs confirmation: it is more likely half a file than a new roster. */
const SMALL_ROSTER = 100;

/** Marks each later row with the same member ID as an error. Its identifying cells are kept, so that the file does not remove that patient. */
async function markRepeatedIds(tx: Queryable, uploadId: string): Promise<void> {
  const error = JSON.stringify([{ column: 'Member ID', reason: 'Duplicate of an earlier row' }]);
  await tx.query(sql`
    with counted as (
      select row_number, row_number() over (partition by member_id order by row_number) as occurrence
      from roster_upload_rows where upload_id = ${uploadId} and member_id <> '')
    update roster_upload_rows r set errors = coalesce(r.errors, '[]') || ${error}::jsonb, content_hash = null,
      cells = jsonb_build_object('sortFirst', cells -> 'sortFirst', 'sortLast', cells -> 'sortLast', 'dateOfBirth', cells -> 'dateOfBirth',
        'medicareId', cells -> 'medicareId')
    from counted c
    where r.upload_id = ${uploadId} and r.row_number = c.row_number and c.occurrence > 1`);
}

/**
 * Checks across rows and stores the counts. Returns whether a person must confirm, and whether all rows have errors: such a file must not
 * remove anyone. Not repeatable: run it once per upload.
 */
export async function validateUpload(
  tx: Queryable,
  upload: Upload,
): Promise<{ needsConfirmation: boolean; isUnreadable: boolean }> {
  await markRepeatedIds(tx, upload.id);
  const { rows } = await tx.query<{ removed: number; listed: number; unplaced: number; isUnreadable: boolean }>(sql`
    with file as (
      select r.errors, r.content_hash, p.id as listing_id, p.left_at, p.content_hash as listed_hash
      from roster_upload_rows r
        left join roster_patients p on p.group_id = ${upload.groupId} and p.member_id = r.member_id
      where r.upload_id = ${upload.id}),
    listed as (
      select count(*)::int as all_rows from roster_patients p where p.group_id = ${upload.groupId} and p.left_at is null),
    missing as (
      select count(*)::int as removed from roster_patients p
      where p.group_id = ${upload.groupId} and p.left_at is null and ${isMissing(upload.id)}),
    unplaced as (
      select count(*)::int as all_rows from roster_upload_rows r where r.upload_id = ${upload.id} and ${isUnplaced(upload.groupId)}),
    counts as (
      select count(*) as all_rows, count(errors) as wrong,
        count(*) filter (where errors is null and (listing_id is null or left_at is not null)) as created,
        count(*) filter (where errors is null and left_at is null and listed_hash is distinct from content_hash
          and listing_id is not null) as updated,
        count(*) filter (where errors is null and left_at is null and listed_hash = content_hash) as unchanged
      from file),
    columns as (
      select coalesce(jsonb_object_agg(name, rows), '{}') as errors
      from (
        select e ->> 'column' as name, count(distinct r.row_number) as rows
        from roster_upload_rows r cross join jsonb_array_elements(r.errors) as e
        where r.upload_id = ${upload.id} group by 1) as by_column)
    update roster_uploads u set total_rows = counts.all_rows, error_rows = counts.wrong, created_count = counts.created,
      updated_count = counts.updated, unchanged_count = counts.unchanged, removed_count = missing.removed,
      errors_by_column = columns.errors,
      unplaced_rows = unplaced.all_rows
    from counts, listed, missing, unplaced, columns where u.id = ${upload.id}
    returning missing.removed, listed.all_rows as listed, unplaced.all_rows as unplaced, counts.wrong = counts.all_rows as "isUnreadable"`);
  const { removed = 0, listed = 0, unplaced = 0, isUnreadable = true } = rows[0] ?? {};
  const removesMany = listed > SMALL_ROSTER && removed > listed / 2;
  // A row without a usable member ID may be about a patient whom the file would remove.
  return { needsConfirmation: removesMany || (unplaced > 0 && removed > 0), isUnreadable };
}
