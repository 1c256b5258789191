import { type Sql, sql } from '#server/platform/database/sql.ts';

/** `column`: a header of `ROSTER_COLUMNS`, or 'Row'. `reason`: a sentence for the uploader, which never quotes a value. */
export interface RowError {
  column: string;
  reason: string;
  /** What the cell says, as it may be shown (`shown-value.ts`). */
  value?: string;
}

/** `isRead`: `row` has a value of the cell, which was completed or is doubtful. Otherwise it could not be read and is not needed, and `row` has none. */
export interface RowWarning extends RowError {
  isRead?: true;
}

/** Returns the statement that adds an error to rows of an upload. `rowNumbers`: a statement that returns `row_number`. */
export const addError = (uploadId: string, error: { column: string; reason: string }, rowNumbers: Sql): Sql =>
  addErrors(
    uploadId,
    sql`select distinct row_number, ${JSON.stringify(error)}::jsonb as error from (${rowNumbers}) as each`,
  );

/**
 * The same with an error for each row. `errors`: a statement that returns `row_number`, each once, and `error`. The rows' identifying cells are kept, so
 * that the file does not remove the patients they are about (`missing.ts`).
 */
export const addErrors = (uploadId: string, errors: Sql): Sql => sql`
  update roster_upload_rows r set errors = coalesce(r.errors, '[]') || jsonb_build_array(wrong.error), content_hash = null,
    cells = jsonb_build_object('sortFirst', cells -> 'sortFirst', 'sortLast', cells -> 'sortLast', 'dateOfBirth', cells -> 'dateOfBirth',
      'medicareId', cells -> 'medicareId')
  from (${errors}) as wrong
  where r.upload_id = ${uploadId} and r.row_number = wrong.row_number`;
