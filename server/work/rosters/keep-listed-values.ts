/** What a cell that could not be read leaves on the roster: the value that is listed for the same patient, or none for a new one. */
import { ROSTER_COLUMNS, type RosterColumn } from '#contract/roster-columns.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { CELLS, isAnotherPerson } from './apply.ts';
import type { Upload } from './job.ts';
import { LISTED } from './listed-cells.ts';
import type { RowWarning } from './row-errors.ts';
import { hashOf, type RosterRow } from './row-reader.ts';

const COLUMN_OF = new Map(
  (Object.keys(ROSTER_COLUMNS) as RosterColumn[]).map((column) => [ROSTER_COLUMNS[column].header as string, column]),
);

const BATCH = 2000;

interface Skipped {
  rowNumber: number;
  cells: RosterRow;
  warnings: RowWarning[];
  /** Null if the patient is not on the roster. */
  listed: RosterRow | null;
}

/** Gives the rows of an upload the listed values for the cells that were skipped. Run it once per upload, before rows are compared. */
export async function keepListedValues(tx: Queryable, upload: Upload): Promise<void> {
  let rows: Skipped[];
  let after = 0;
  do {
    rows = await skippedAfter(tx, upload, after);
    after = rows.at(-1)?.rowNumber ?? after;
    const kept = rows.flatMap(({ rowNumber, cells, warnings, listed }) => {
      const skipped = warnings.filter(({ isRead }) => !isRead);
      if (listed === null || skipped.length === 0) return [];
      const columns = skipped.map(({ column }) => COLUMN_OF.get(column) as RosterColumn);
      const values = Object.fromEntries(columns.map((column) => [column, listed[column]]));
      return [{ rowNumber, values: JSON.stringify(values), hash: hashOf({ ...cells, ...values }) }];
    });
    await tx.query(sql`
      update roster_upload_rows r set cells = r.cells || k.values::jsonb, content_hash = k.hash
      from unnest(${kept.map(({ rowNumber }) => rowNumber)}::int[], ${kept.map(({ values }) => values)}::text[],
        ${kept.map(({ hash }) => hash)}::bytea[]) as k (row_number, values, hash)
      where r.upload_id = ${upload.id} and r.row_number = k.row_number`);
  } while (rows.length === BATCH);
}

async function skippedAfter(tx: Queryable, { id, groupId }: Upload, after: number): Promise<Skipped[]> {
  const { rows } = await tx.query<Skipped>(sql`
    select w.row_number as "rowNumber", r.cells, w.warnings, case when p.id is not null then ${LISTED} end as listed
    from (
        select row_number, warnings from roster_upload_warnings
        where upload_id = ${id} and row_number > ${after} order by row_number limit ${BATCH}) as w
      join roster_upload_rows r on r.upload_id = ${id} and r.row_number = w.row_number
      left join lateral ${CELLS} on true
      left join roster_patients p on p.group_id = ${groupId} and p.member_id = r.member_id and p.left_at is null
        and r.errors is null and not ${isAnotherPerson}
    order by w.row_number`);
  return rows;
}
