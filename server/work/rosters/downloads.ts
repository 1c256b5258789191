/** The files that rosters give out: a template, and the errors of an upload. */
import { ROSTER_COLUMNS } from '#contract/rosters.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { RowError } from './parse.ts';

/** A cell that a spreadsheet would run as a formula gets an apostrophe in front (OWASP, 'CSV injection'). */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** The columns of a roster file, with an example row. */
export function templateCsv(): string {
  const columns = Object.values(ROSTER_COLUMNS);
  return line(columns.map(({ header }) => header)) + line(columns.map(({ example }) => example));
}

const PAGE = 5000;

export type ErrorRow = { rowNumber: number; memberId: string; errors: RowError[] };

/** The next rows with errors after one, in the order of the file. */
export async function errorRows(tx: Queryable, uploadId: string, after: number): Promise<ErrorRow[]> {
  const { rows } = await tx.query<ErrorRow>(sql`
    select row_number as "rowNumber", member_id as "memberId", errors from roster_upload_rows
    where upload_id = ${uploadId} and errors is not null and row_number > ${after} order by row_number limit ${PAGE}`);
  return rows;
}

/** One line an error, in pieces; `rowsAfter` is asked until it has no more, each time on its own, so that no reader holds a transaction. */
export async function* errorsCsv(rowsAfter: (after: number) => Promise<ErrorRow[]>): AsyncGenerator<string> {
  yield line(['Row', 'Member ID', 'Column', 'What is wrong']);
  for (let rows = await rowsAfter(0); rows.length > 0; rows = await rowsAfter(rows.at(-1)?.rowNumber ?? 0)) {
    yield rows
      .flatMap(({ rowNumber, memberId, errors }) =>
        errors.map(({ column, reason }) => line([String(rowNumber), memberId, column, reason])),
      )
      .join('');
  }
}
