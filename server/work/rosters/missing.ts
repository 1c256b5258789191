/** Which patients on a roster a file does not name, and would therefore remove. */
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** Conditions on `roster_patients p` and `roster_upload_rows r`: a row with errors is about this patient, by Medicare ID or by name and date of birth. */
const byMedicareId = sql`r.cells ->> 'medicareId' = p.medicare_id`;
const byName = sql`r.cells ->> 'sortFirst' = p.sort_first and r.cells ->> 'sortLast' = p.sort_last
  and (r.cells ->> 'dateOfBirth')::date = p.date_of_birth`;

/**
 * A condition on `roster_patients p`: no row of the file is about this patient. A row with errors also counts by its other cells, because
 * its member ID may be what cannot be read. The conditions are separate so that PostgreSQL can hash each.
 */
export function isMissing(uploadId: string): Sql {
  const errorRows = sql`select from roster_upload_rows r where r.upload_id = ${uploadId} and r.errors is not null`;
  return sql`(not exists (select from roster_upload_rows r where r.upload_id = ${uploadId} and r.member_id = p.member_id)
    and not exists (${errorRows} and ${byMedicareId}) and not exists (${errorRows} and ${byName}))`;
}

/** A condition on `roster_upload_rows r`: its member ID is unusable and its other cells match no listed patient, so it could be about any of them. */
export function isUnplaced(groupId: string): Sql {
  const listed = sql`select from roster_patients p where p.group_id = ${groupId} and p.left_at is null`;
  return sql`(r.errors @> '[{"column": "Member ID"}]' and not exists (${listed} and ${byMedicareId})
    and not exists (${listed} and ${byName}))`;
}
