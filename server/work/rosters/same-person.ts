import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Upload } from './job.ts';

/**
 * Warns of rows of an upload that are probably one person under two member IDs: first and last name (as sort keys), date of birth, and a ZIP
 * code, the last digits of the Social Security number or a phone in common. Each names another one of them. Nothing is merged: twins may be
 * written alike, and only the program knows. Run it once per upload, after rows with errors are known. Two sorts, however many rows are alike.
 */
export async function warnOfSamePerson(tx: Queryable, { id: uploadId, groupId }: Upload): Promise<void> {
  await tx.query(sql`
    with file as (
      select r.row_number, c."sortLast" as last, c."sortFirst" as first, c."dateOfBirth" as born, left(c.zip, 5) as zip, c."ssnLast4" as ssn,
        c."homePhone" as home, c."mobilePhone" as mobile
      from roster_upload_rows r cross join jsonb_to_record(r.cells) as c ("sortLast" text, "sortFirst" text, "dateOfBirth" date, zip text,
        "ssnLast4" text, "homePhone" text, "mobilePhone" text)
      where r.upload_id = ${uploadId} and r.errors is null and r.cells is not null
      union all
      select r.row_number, p.sort_last, p.sort_first, p.date_of_birth, left(p.zip, 5), p.ssn_last4, p.home_phone, p.mobile_phone
      from roster_upload_rows r join roster_patients p on p.group_id = ${groupId} and p.member_id = r.member_id
      where r.upload_id = ${uploadId} and r.errors is null and r.cells is null),
    people as (select *, count(*) over (partition by last, first, born) as namesakes from file),
    common as (
      select p.row_number, v.rank, v.what,
        min(p.row_number) over same as first_row, max(p.row_number) over same as last_row
      from people p cross join lateral (values
        (1, 'ZIP code', zip), (2, 'last digits of the Social Security number', ssn), (3, 'phone', home), (3, 'phone', mobile)) as v (rank, what, value)
      where p.namesakes > 1 and v.value is not null
      window same as (partition by p.last, p.first, p.born, v.rank, v.value)),
    alike as (
      select distinct on (row_number) row_number, what, case when row_number = first_row then last_row else first_row end as other
      from common where first_row < last_row order by row_number, rank)
    insert into roster_upload_warnings (upload_id, row_number, member_id, warnings)
    select r.upload_id, r.row_number, r.member_id, jsonb_build_array(jsonb_build_object('column', 'Whole row', 'isRead', true,
      'value', left(concat_ws(' ', coalesce(r.cells ->> 'firstName', p.first_name), coalesce(r.cells ->> 'lastName', p.last_name)), 60),
      'reason', format('Same name, date of birth and %s as row %s, under another member ID. If this is one person, keep one of the rows',
        a.what, a.other)))
    from alike a join roster_upload_rows r on r.upload_id = ${uploadId} and r.row_number = a.row_number
      left join roster_patients p on r.cells is null and p.group_id = ${groupId} and p.member_id = r.member_id
    on conflict (upload_id, row_number) do update set warnings = roster_upload_warnings.warnings || excluded.warnings`);
}
