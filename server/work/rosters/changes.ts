/** The preview of a waiting upload, page by page (`preview.ts`). */
import { ROSTER_COLUMNS, type RosterColumn } from '#contract/roster-columns.ts';
import type { RosterChange, RosterChangeKind, RosterChanges } from '#contract/rosters.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { LISTED_ROW } from './listed-cells.ts';
import { showable } from './shown-value.ts';

type Cells = Partial<Record<RosterColumn, string | readonly string[] | null>>;

interface ChangeRow {
  rowNumber: number | null;
  listingId: string | null;
  memberId: string;
  returns: boolean;
  /** Null for a patient who is not in the file. */
  cells: Cells | null;
  /** Null for a new patient. */
  listed: Cells | null;
}

export interface ChangesPage {
  kind: RosterChangeKind;
  pageNumber: number;
  pageSize: number;
}

/**
 * Returns a page of what an upload would add, change or remove. Errors: NOT_PERMITTED without canViewPatients for the group, because a short file
 * would otherwise show the whole list to someone who may only upload.
 */
export async function changesOf(
  tx: ActorTransaction,
  { jobId, groupId }: { jobId: string; groupId: string },
  { kind, pageNumber, pageSize }: ChangesPage,
): Promise<RosterChanges> {
  if (!tx.actor.groupsWith('canViewPatients').includes(groupId)) throw new ApiError('NOT_PERMITTED');
  const ofKind = sql`c.upload_id = ${jobId} and c.kind = ${kind}`;
  const last = pageNumber * pageSize;
  const { rows } = await tx.query<ChangeRow>(sql`
    select c.row_number as "rowNumber", c.listing_id as "listingId", coalesce(r.member_id, p.member_id) as "memberId",
      p.left_at is not null as returns, r.cells, case when p.id is not null then ${LISTED_ROW} end as listed
    from roster_upload_changes c
      left join roster_upload_rows r on r.upload_id = c.upload_id and r.row_number = c.row_number
      left join roster_patients p on p.id = c.listing_id
    where ${ofKind} and c.position > ${last - pageSize} and c.position <= ${last} order by c.position`);
  const { rows: counts } = await tx.query<{ total: number }>(
    sql`select coalesce(max(c.position), 0)::int as total from roster_upload_changes c where ${ofKind}`,
  );
  notePatients(rows.flatMap(({ listingId }) => (listingId === null ? [] : [listingId])));
  const hidesDetails = !tx.actor.groupsWith('canViewAllPatientDetails').includes(groupId);
  return { total: counts[0]?.total ?? 0, changes: rows.map((row) => changeOf(row, kind, hidesDetails)) };
}

/** Left out of everything else without canViewAllPatientDetails. What the file itself says is shown. */
const DETAILS: ReadonlySet<RosterColumn> = new Set([
  'address1',
  'address2',
  'address3',
  'homePhone',
  'mobilePhone',
  'insurance',
  'medicareId',
  'ssnLast4',
]);
const HIDDEN = '•••';

function changeOf(
  { rowNumber, memberId, returns, cells, listed }: ChangeRow,
  kind: RosterChangeKind,
  hidesDetails: boolean,
) {
  const person = cells ?? listed ?? {};
  const text = (column: RosterColumn): string => textOf(person[column]) ?? '';
  const change: RosterChange = {
    rowNumber,
    memberId: kind === 'REMOVED' && hidesDetails ? '' : memberId,
    firstName: text('firstName'),
    lastName: text('lastName'),
    dateOfBirth: textOf(person.dateOfBirth),
    returns,
    differences: kind === 'CHANGED' ? differencesOf(listed ?? {}, cells ?? {}, hidesDetails) : [],
  };
  return change;
}

function differencesOf(listed: Cells, cells: Cells, hidesDetails: boolean): RosterChange['differences'] {
  return (Object.keys(ROSTER_COLUMNS) as RosterColumn[]).flatMap((column) => {
    if (column === 'memberId') return [];
    const [before, after] = [textOf(listed[column]), textOf(cells[column])];
    if (before === after) return [];
    const shown = (value: string | null): string | null => (value === null ? null : showable(column, value));
    return [
      {
        column: ROSTER_COLUMNS[column].header,
        before: hidesDetails && DETAILS.has(column) ? HIDDEN : shown(before),
        after: shown(after),
      },
    ];
  });
}

/** Returns a value in words, or null for none. */
function textOf(value: string | readonly string[] | null | undefined): string | null {
  const text = typeof value === 'object' && value !== null ? value.join('; ') : (value ?? '');
  return text === '' ? null : text;
}
