/** Errors and warnings of an upload, by row, as its page shows them. */
import { ROSTER_COLUMNS } from '#contract/roster-columns.ts';
import type { RosterProblem, RosterProblemKind, RosterProblems } from '#contract/rosters.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { RowError } from './row-errors.ts';
import { showable } from './shown-value.ts';

/** Rows of the file on a page. */
const PAGE_SIZE = 25;

/** Where each kind of problem is kept. */
const KEPT = {
  ERROR: { table: sql`roster_upload_rows`, problems: sql`r.errors` },
  WARNING: { table: sql`roster_upload_warnings`, problems: sql`r.warnings` },
} as const satisfies Record<RosterProblemKind, { table: Sql; problems: Sql }>;

/** Returns what the report shows as the cell: a member ID that is used twice is kept with its row. */
export const valueOf = ({ column, value }: RowError, memberId: string): string | null =>
  value ?? (column === ROSTER_COLUMNS.memberId.header && memberId !== '' ? showable('memberId', memberId) : null);

/** Returns the problems of the next rows, in the order of the file. `column`: those of one column only. */
export async function problemsAfter(
  tx: Queryable,
  uploadId: string,
  { kind, column, after }: { kind: RosterProblemKind; column?: string | undefined; after: number },
): Promise<RosterProblems> {
  const { table, problems } = KEPT[kind];
  const ofColumn = column === undefined ? sql`true` : sql`${problems} @> ${JSON.stringify([{ column }])}::jsonb`;
  const { rows } = await tx.query<{ rowNumber: number; memberId: string; problems: RowError[] }>(sql`
    select r.row_number as "rowNumber", r.member_id as "memberId", ${problems} as problems from ${table} r
    where r.upload_id = ${uploadId} and r.row_number > ${after} and ${problems} is not null and ${ofColumn}
    order by r.row_number limit ${PAGE_SIZE}`);
  return {
    problems: rows.flatMap(({ rowNumber, memberId, problems: each }) =>
      each
        .filter((one) => column === undefined || one.column === column)
        .map(
          (one): RosterProblem => ({
            rowNumber,
            memberId,
            column: one.column,
            value: valueOf(one, memberId),
            reason: one.reason,
          }),
        ),
    ),
    next: rows.length < PAGE_SIZE ? null : (rows.at(-1)?.rowNumber ?? null),
  };
}
