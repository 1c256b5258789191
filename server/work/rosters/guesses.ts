/** Holds rows that look like guesses of a person's identifying details. A held row is a row with an error: it changes nothing. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import {
  CHANGES_WITHIN,
  detailsOf,
  differs,
  type IdentityColumns,
  keysOf,
  MOST_CHANGES,
} from '#server/record/listings/identity-attempts.ts';
import type { Upload } from './job.ts';
import { addError } from './row-errors.ts';

/** More rows than this that describe one person differently are held, all of them. */
const MOST_ALIKE = 2;
/** Birth dates that people of one name in one ZIP code may have in a file. A street would tell them apart, but not every roster has it. */
const MOST_NAMESAKES = 10;

const ALIKE = {
  column: 'Whole row',
  reason:
    'Several rows describe the same person with different details. Check them with your source, or contact support',
};
const CHANGED = {
  column: 'Whole row',
  reason: `This person's details changed more than ${MOST_CHANGES} times in 30 days. Check them with your source, or contact support`,
};

/** The rows of the upload without errors, typed like the columns of roster_patients. */
const rowsOf = (uploadId: string): Sql => sql`
  select r.row_number, r.member_id, r.content_hash, c.* from roster_upload_rows r
    cross join lateral jsonb_to_record(r.cells) as c ("sortFirst" text, "sortLast" text, "dateOfBirth" date, "ssnLast4" text,
      "medicareId" text, address1 text, zip text, "homePhone" text, "mobilePhone" text)
  where r.upload_id = ${uploadId} and r.errors is null`;

const ROW: IdentityColumns = {
  memberId: sql`r.member_id`,
  sortFirst: sql`r."sortFirst"`,
  sortLast: sql`r."sortLast"`,
  dateOfBirth: sql`r."dateOfBirth"`,
  ssnLast4: sql`r."ssnLast4"`,
  medicareId: sql`r."medicareId"`,
  zip: sql`r.zip`,
  homePhone: sql`r."homePhone"`,
  mobilePhone: sql`r."mobilePhone"`,
};
const LISTING: IdentityColumns = {
  memberId: sql`p.member_id`,
  sortFirst: sql`p.sort_first`,
  sortLast: sql`p.sort_last`,
  dateOfBirth: sql`p.date_of_birth`,
  ssnLast4: sql`p.ssn_last4`,
  medicareId: sql`p.medicare_id`,
  zip: sql`p.zip`,
  homePhone: sql`p.home_phone`,
  mobilePhone: sql`p.mobile_phone`,
};

/** Holds the rows and remembers the changes of all others. Returns how many rows are held. Run it once per upload. */
export async function holdGuesses(tx: Queryable, upload: Upload, now: Date): Promise<number> {
  // The rows are new and not counted yet: PostgreSQL would compare each with each, which takes hours for a large file.
  await tx.query(sql`select set_config('enable_nestloop', 'off', true)`);
  const held = (await holdAlike(tx, upload.id)) + (await holdChanged(tx, upload, now));
  await tx.query(sql`select set_config('enable_nestloop', 'on', true)`);
  return held;
}

/**
 * Holds rows that give one name and birth date several member ids, or several birth dates to one Medicare id, one name and SSN, one name at an
 * address, or, if there are many, one name in a ZIP code.
 */
async function holdAlike(tx: Queryable, uploadId: string): Promise<number> {
  const first = sql`replace("sortFirst", ' ', '')`;
  const last = sql`replace("sortLast", ' ', '')`;
  const alike = sql`
    with people as materialized (
      select row_number, ${first} as first, ${last} as last, "dateOfBirth" as born, "ssnLast4" as ssn, "medicareId" as mbi, zip,
        lower(address1) as street
      from (${rowsOf(uploadId)}) r)
    select row_number from people where (first, last, born) in (
      select first, last, born from people group by 1, 2, 3 having count(*) > ${MOST_ALIKE})
    union
    select row_number from people where mbi in (
      select mbi from people where mbi is not null group by 1 having count(distinct born) > ${MOST_ALIKE})
    union
    select row_number from people where (first, last, ssn) in (
      select first, last, ssn from people where ssn is not null group by 1, 2, 3 having count(distinct born) > ${MOST_ALIKE})
    union
    select row_number from people where (first, last, zip, street) in (
      select first, last, zip, street from people where street is not null group by 1, 2, 3, 4
      having count(distinct born) > ${MOST_ALIKE})
    union
    select row_number from people where (first, last, zip) in (
      select first, last, zip from people group by 1, 2, 3 having count(distinct born) > ${MOST_NAMESAKES})`;
  return (await tx.query(addError(uploadId, ALIKE, alike))).rowCount;
}

/**
 * Holds rows whose person changed too often: under one member id, or by leaving and returning under another one with other details. The
 * changes of the other rows are remembered for the next uploads.
 */
async function holdChanged(tx: Queryable, { id, groupId }: Upload, now: Date): Promise<number> {
  const key = keysOf(ROW);
  const since = sql`${now}::timestamptz - ${CHANGES_WITHIN}`;
  const isListed = sql`p.group_id = ${groupId} and p.member_id = r.member_id`;
  const returned = (keyOf: Sql, isSame: Sql): Sql => sql`
    select r.row_number, ${keyOf}, ${detailsOf(ROW)} from added r join gone p on ${isSame} and ${differs(LISTING, ROW)}`;
  const { rows } = await tx.query<{ held: number }>(sql`
    with rows as materialized (${rowsOf(id)}),
    added as (
      select * from rows r where not exists (select from roster_patients p where ${isListed} and p.left_at is null)),
    gone as materialized (
      select p.* from roster_patients p
      where p.group_id = ${groupId} and (p.left_at is null or p.left_at > ${since})
        and not exists (select from roster_upload_rows o where o.upload_id = ${id} and o.member_id = p.member_id)),
    changes (row_number, key, details) as (
      select r.row_number, ${key.member}, ${detailsOf(ROW)} from rows r join roster_patients p on ${isListed}
      where p.content_hash is distinct from r.content_hash and ${differs(LISTING, ROW)}
      union ${returned(key.nameAndBirthDate, sql`p.sort_first = r."sortFirst" and p.sort_last = r."sortLast" and p.date_of_birth = r."dateOfBirth"`)}
      union ${returned(key.nameAndSsn, sql`p.sort_first = r."sortFirst" and p.sort_last = r."sortLast" and p.ssn_last4 = r."ssnLast4"`)}
      union ${returned(key.nameAndZip, sql`p.sort_first = r."sortFirst" and p.sort_last = r."sortLast" and p.zip = r.zip`)}
      union ${returned(key.medicareId, sql`p.medicare_id = r."medicareId"`)}),
    counted as materialized (
      select row_number, key, details, count(*) over (partition by key) + (
        select count(*) from identity_attempts a where a.group_id = ${groupId} and a.key = changes.key and a.at > ${since}) as times
      from changes),
    held as (${addError(id, CHANGED, sql`select row_number from counted where times > ${MOST_CHANGES}`)} returning r.row_number),
    remembered as (
      insert into identity_attempts (group_id, key, details, at)
      select ${groupId}, key, details, ${now} from counted
      where row_number not in (select row_number from counted where times > ${MOST_CHANGES}))
    select count(*)::int as held from held`);
  return rows[0]?.held ?? 0;
}
