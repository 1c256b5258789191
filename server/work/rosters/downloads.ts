/** CSV downloads: the roster template, and the errors and warnings of an upload. */
import { ROSTER_COLUMNS, type RosterColumn, type RosterTarget } from '#contract/roster-columns.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { csvLine } from '#server/platform/text/csv-line.ts';
import { valueOf } from './problems.ts';
import type { RowError, RowWarning } from './row-errors.ts';

/** Returns a file with the roster's columns and an example row. `headers`: a group's own, for some of the columns. */
export function templateCsv(headers: ReadonlyMap<RosterTarget, string> = new Map()): string {
  const columns = Object.entries(ROSTER_COLUMNS) as [RosterColumn, { header: string; example: string }][];
  return (
    csvLine(columns.map(([column, { header }]) => headers.get(column) ?? header)) +
    csvLine(columns.map(([, { example }]) => example))
  );
}

const PAGE_SIZE = 5000;

export type ErrorRow = { rowNumber: number; memberId: string; errors: RowError[]; warnings: RowWarning[] };

/** Returns the next rows with errors or warnings, in the order of the file. */
export async function errorRows(tx: Queryable, uploadId: string, after: number): Promise<ErrorRow[]> {
  const { rows } = await tx.query<ErrorRow>(sql`
    with page as (
      select row_number from (
        (select row_number from roster_upload_rows where upload_id = ${uploadId} and errors is not null and row_number > ${after}
          order by row_number limit ${PAGE_SIZE})
        union
        (select row_number from roster_upload_warnings where upload_id = ${uploadId} and row_number > ${after}
          order by row_number limit ${PAGE_SIZE})) as each
      order by row_number limit ${PAGE_SIZE})
    select page.row_number as "rowNumber", coalesce(r.member_id, w.member_id) as "memberId", coalesce(r.errors, '[]') as errors,
      coalesce(w.warnings, '[]') as warnings
    from page
      left join roster_upload_rows r on r.upload_id = ${uploadId} and r.row_number = page.row_number
      left join roster_upload_warnings w on w.upload_id = ${uploadId} and w.row_number = page.row_number
    order by page.row_number`);
  return rows;
}

/** Yields one line per error or warning. `rowsAfter` is called page by page, so that a slow download holds no transaction open. */
export async function* errorsCsv(rowsAfter: (after: number) => Promise<ErrorRow[]>): AsyncGenerator<string> {
  yield csvLine(['Row', 'Member ID', 'Column', 'Value', 'Problem']);
  for (let rows = await rowsAfter(0); rows.length > 0; rows = await rowsAfter(rows.at(-1)?.rowNumber ?? 0)) {
    yield rows
      .flatMap(({ rowNumber, memberId, errors, warnings }) =>
        [...errors, ...warnings.map((each) => ({ ...each, reason: `Warning: ${each.reason}` }))].map((each) =>
          csvLine([String(rowNumber), memberId, each.column, valueOf(each, memberId) ?? '', each.reason]),
        ),
      )
      .join('');
  }
}
