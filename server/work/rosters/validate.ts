/** Checks a complete upload: skipped cells, repeated member IDs, guesses, people under two member IDs, and how many patients it would add, change and remove. */
import { withoutNestedLoops } from '#server/platform/database/nested-loops.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { holdGuesses } from './guesses.ts';
import { lockChecked, stopIfCanceled, type Upload } from './job.ts';
import { keepListedValues } from './keep-listed-values.ts';
import { isMissing, isUnplaced } from './missing.ts';
import { addErrors } from './row-errors.ts';
import { warnOfSamePerson } from './same-person.ts';

/** A file that would remove more than half of a roster larger than this needs confirmation: it is more likely half a file than a new roster. */
const SMALL_ROSTER = 100;

/** Drops each later row that says the same about the same member ID, and returns how many. It is no error, and there is nothing to do. */
async function dropRepeatedRows(tx: Queryable, uploadId: string): Promise<number> {
  const { rowCount } = await tx.query(sql`
    delete from roster_upload_rows r using (
      select row_number from (
        select row_number, content_hash, row_number() over same_id as occurrence, first_value(content_hash) over same_id as first_hash
        from roster_upload_rows where upload_id = ${uploadId} and member_id <> ''
        window same_id as (partition by member_id order by row_number)) as counted
      where occurrence > 1 and content_hash = first_hash) as repeated
    where r.upload_id = ${uploadId} and r.row_number = repeated.row_number`);
  return rowCount;
}

/** Marks each later row with the same member ID as an error that names the first one. */
async function markRepeatedIds(tx: Queryable, uploadId: string): Promise<void> {
  const repeated = sql`
    select row_number, jsonb_build_object('column', 'Member ID',
      'reason', format('Duplicate of row %s, which says something else. Keep one row for each patient', first_row)) as error
    from (
      select row_number, min(row_number) over (partition by member_id) as first_row
      from roster_upload_rows where upload_id = ${uploadId} and member_id <> '') as counted
    where row_number > first_row`;
  await tx.query(addErrors(uploadId, repeated));
}

/**
 * Checks across rows and stores the counts. Returns whether a person must confirm; whether all rows have errors, in which case the file must
 * not remove anyone; and how many rows are held because they look like guesses. Not repeatable: run it once per upload. Errors:
 * CheckStoppedError once the upload was canceled.
 */
export function validateUpload(
  tx: Queryable,
  upload: Upload,
  now: Date,
): Promise<{ needsConfirmation: boolean; isUnreadable: boolean; heldRows: number }> {
  return withoutNestedLoops(tx, () => check(tx, upload, now));
}

async function check(tx: Queryable, upload: Upload, now: Date): ReturnType<typeof validateUpload> {
  await keepListedValues(tx, upload);
  await stopIfCanceled(tx, upload.id);
  const repeatedRows = await dropRepeatedRows(tx, upload.id);
  await markRepeatedIds(tx, upload.id);
  const heldRows = await holdGuesses(tx, upload, now);
  await warnOfSamePerson(tx, upload);
  await lockChecked(tx, upload.id);
  const { rows } = await tx.query<{
    removed: number;
    listed: number;
    unplaced: number;
    isUnreadable: boolean;
    isLost: boolean;
  }>(sql`
    with file as (
      select r.errors, r.cells, r.content_hash, p.id as listing_id, p.left_at, p.content_hash as listed_hash
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
        count(*) filter (where errors is null and left_at is null and listed_hash = content_hash) as unchanged,
        count(*) filter (where errors is null and cells is null and (left_at is null and listed_hash = content_hash) is not true) as lost
      from file),
    columns as (
      select coalesce(jsonb_object_agg(name, rows), '{}') as errors
      from (
        select e ->> 'column' as name, count(distinct r.row_number) as rows
        from roster_upload_rows r cross join jsonb_array_elements(r.errors) as e
        where r.upload_id = ${upload.id} group by 1) as by_column),
    skipped as (
      select coalesce(jsonb_object_agg(name, rows), '{}') as warnings
      from (
        select e ->> 'column' as name, count(distinct w.row_number) as rows
        from roster_upload_warnings w cross join jsonb_array_elements(w.warnings) as e
        where w.upload_id = ${upload.id} group by 1) as by_column)
    update roster_uploads u set total_rows = counts.all_rows + ${repeatedRows}, error_rows = counts.wrong, created_count = counts.created,
      updated_count = counts.updated, unchanged_count = counts.unchanged, removed_count = missing.removed,
      errors_by_column = columns.errors, warnings_by_column = skipped.warnings,
      unplaced_rows = unplaced.all_rows, listed_before = listed.all_rows
    from counts, listed, missing, unplaced, columns, skipped where u.id = ${upload.id}
    returning missing.removed, listed.all_rows as listed, unplaced.all_rows as unplaced, counts.wrong = counts.all_rows as "isUnreadable",
      counts.lost > 0 as "isLost"`);
  const { removed = 0, listed = 0, unplaced = 0, isUnreadable = true, isLost = false } = rows[0] ?? {};
  if (isLost) throw new Error('A row was stored as unchanged, and its listing has changed since');
  const removesMany = listed > SMALL_ROSTER && removed > listed / 2;
  // A row without a usable member ID may be about a patient whom the file would remove.
  return { needsConfirmation: removesMany || (unplaced > 0 && removed > 0), isUnreadable, heldRows };
}

/** Returns the most frequent error of a file in words, for a file without a single row that can be used. */
export async function mostFrequentError(tx: Queryable, uploadId: string): Promise<string> {
  const { rows } = await tx.query<{ column: string; reason: string; rows: number }>(sql`
    select e ->> 'column' as column, e ->> 'reason' as reason, count(*)::int as rows
    from roster_upload_rows r cross join jsonb_array_elements(r.errors) as e
    where r.upload_id = ${uploadId} group by 1, 2 order by 3 desc, 1, 2 limit 1`);
  const [most] = rows;
  if (most === undefined) return '';
  return `Most frequent problem, in ${most.rows === 1 ? '1 row' : `${most.rows.toLocaleString('en-US')} rows`}: ${most.column}: ${most.reason}.`;
}
