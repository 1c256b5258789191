/** Who of a roster a file does not name: who would be taken off it. */
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** Of `roster_patients p`: a row of the file with errors is about this person, by Medicare id or by name and date of birth. */
const byMedicareId = sql`r.cells ->> 'medicareId' = p.medicare_id`;
const byName = sql`r.cells ->> 'sortFirst' = p.sort_first and r.cells ->> 'sortLast' = p.sort_last
  and (r.cells ->> 'dateOfBirth')::date = p.date_of_birth`;

/**
 * Of `roster_patients p`: nobody in the file is this one. A row with errors changes nothing, so it keeps also whom only its other cells
 * name: its member id may be what cannot be read. Each condition by itself, so that PostgreSQL can hash it.
 */
export function isMissing(uploadId: string): Sql {
  const unread = sql`select from roster_upload_rows r where r.upload_id = ${uploadId} and r.errors is not null`;
  return sql`(not exists (select from roster_upload_rows r where r.upload_id = ${uploadId} and r.member_id = p.member_id)
    and not exists (${unread} and ${byMedicareId}) and not exists (${unread} and ${byName}))`;
}

/** Of `roster_upload_rows r`: its member id is of no use and nothing else in it names anybody who is listed: it may be anybody. */
export function isUnplaced(groupId: string): Sql {
  const listed = sql`select from roster_patients p where p.group_id = ${groupId} and p.left_at is null`;
  return sql`(r.errors @> '[{"column": "Member ID"}]' and not exists (${listed} and ${byMedicareId})
    and not exists (${listed} and ${byName}))`;
}
