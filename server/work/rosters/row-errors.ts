import { type Sql, sql } from '#server/platform/database/sql.ts';

/**
 * Returns the statement that adds an error to rows of an upload. `rowNumbers`: a statement that returns `row_number`. The rows' identifying
 * cells are kept, so that the file does not remove the patients they are about (`missing.ts`).
 */
export const addError = (uploadId: string, error: { column: string; reason: string }, rowNumbers: Sql): Sql => sql`
  update roster_upload_rows r set errors = coalesce(r.errors, '[]') || ${JSON.stringify([error])}::jsonb, content_hash = null,
    cells = jsonb_build_object('sortFirst', cells -> 'sortFirst', 'sortLast', cells -> 'sortLast', 'dateOfBirth', cells -> 'dateOfBirth',
      'medicareId', cells -> 'medicareId')
  from (select distinct row_number from (${rowNumbers}) as each) as wrong
  where r.upload_id = ${uploadId} and r.row_number = wrong.row_number`;
