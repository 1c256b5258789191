/** Replaces a group's roster with the rows of an upload, in set statements and one transaction: completely or not at all. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { Upload } from './job.ts';
import { LISTED_ROW } from './listed-cells.ts';
import { isMissing } from './missing.ts';
import { forgetPreview } from './preview.ts';

/** The cells of a row as `upload.ts` stored them, typed like the columns of roster_patients. */
export const CELLS = sql`jsonb_to_record(r.cells) as c (
  "firstName" text, "middleName" text, "lastName" text, "nameSuffix" text, "dateOfBirth" date, gender text, address1 text,
  address2 text, address3 text, city text, state text, zip text, "homePhone" text, "mobilePhone" text, "ssnLast4" text, "medicareId" text,
  program text[], practice text[], "providerFirstName" text, "providerLastName" text, "providerNpi" text, "providerTitle" text,
  "providerType" text, "providerPhone" text, "providerFax" text, "providerEmail" text, "providerDirectMessage" text,
  "careCoordinators" text[], "careCoordinatorTitles" text[], "careCoordinatorPhones" text[], "careCoordinatorFaxes" text[],
  "careCoordinatorEmails" text[], "careCoordinatorEventTypes" text[], insurance text[], tags text[], "careGaps" text[], "advanceCareDocuments" text[],
  "currentlyBillingAgencies" text[], "sortFirst" text, "sortLast" text, "soundLast" text)`;

/** The columns of roster_patients that a row's cells fill. */
export const CELL_COLUMNS = sql`first_name, middle_name, last_name, name_suffix, date_of_birth, gender, address1, address2, address3, city, state,
  zip, home_phone, mobile_phone, ssn_last4, medicare_id, programs, practices, provider_first_name, provider_last_name,
  provider_npi, provider_title, provider_type, provider_phone, provider_fax, provider_email, provider_direct_message,
  care_coordinators, care_coordinator_titles, care_coordinator_phones, care_coordinator_faxes, care_coordinator_emails,
  care_coordinator_event_types, insurance, tags, care_gaps, advance_care_documents, billing_agencies, sort_first,
  sort_last, sound_last`;

const COLUMNS = sql`${CELL_COLUMNS}, content_hash, relationship, upload_id, attested_by`;

/** The rows of an upload that an earlier version stored have no such cells. */
const LISTS_OF_COORDINATORS = sql`coalesce(c."careCoordinatorTitles", '{}'), coalesce(c."careCoordinatorPhones", '{}'),
  coalesce(c."careCoordinatorFaxes", '{}'), coalesce(c."careCoordinatorEmails", '{}'), coalesce(c."careCoordinatorEventTypes", '{}')`;

/** Their values, from `CELLS`. */
export const CELL_VALUES = sql`c."firstName", c."middleName", c."lastName", c."nameSuffix", c."dateOfBirth", c.gender, c.address1,
  c.address2, c.address3, c.city, c.state, c.zip, c."homePhone", c."mobilePhone", c."ssnLast4", c."medicareId", c.program, c.practice,
  c."providerFirstName", c."providerLastName", c."providerNpi", c."providerTitle", c."providerType", c."providerPhone",
  c."providerFax", c."providerEmail", c."providerDirectMessage", c."careCoordinators", ${LISTS_OF_COORDINATORS}, c.insurance, c.tags, c."careGaps",
  c."advanceCareDocuments", c."currentlyBillingAgencies", c."sortFirst", c."sortLast", c."soundLast"`;

const VALUES = sql`${CELL_VALUES}, r.content_hash, u.relationship, u.id, u.user_id`;

/** What an approved roster opens: the longest period that a flag looks back (`record/rules/`), before the listing began. */
const opensFrom = (now: Date): Sql => sql`${now}::timestamptz - interval '12 months'`;

/** Condition on a listing `p` and a row's cells `c`: the member id was given to another person. */
export const isAnotherPerson = sql`(p.sort_first <> c."sortFirst")::int + (p.sort_last <> c."sortLast")::int
  + (p.date_of_birth is distinct from c."dateOfBirth")::int > 1`;

/**
 * Applies an upload. The new and changed rows stay in roster_upload_rows for `identify-rows.ts`. A row with errors changes nothing: the
 * patient it is about (`missing.ts`) stays on the roster unchanged.
 */
export async function applyUpload(tx: Queryable, upload: Upload, now: Date): Promise<void> {
  const ofUpload = sql`r.upload_id = ${upload.id} and r.errors is null`;
  const isListed = sql`p.group_id = ${upload.groupId} and p.member_id = r.member_id`;
  await forgetBefore(tx, upload);
  const removed = await removeMissing(tx, upload, now);
  await clearErrorRows(tx, upload.id);
  await forgetPreview(tx, upload.id);
  const unchanged = await count(
    tx,
    sql`
    delete from roster_upload_rows r using roster_patients p
    where ${ofUpload} and ${isListed} and p.left_at is null and p.content_hash = r.content_hash`,
  );
  const returned = await count(
    tx,
    sql`
    select from roster_upload_rows r join roster_patients p on ${isListed} where ${ofUpload} and p.left_at is not null`,
  );
  await keepBefore(tx, upload);
  const known = await count(
    tx,
    sql`
    update roster_patients p set (${COLUMNS}, opens_from) = (
        select ${VALUES}, case when p.left_at <= ${opensFrom(now)} or ${isAnotherPerson} then ${opensFrom(now)} else p.opens_from end
        from ${CELLS}),
      listed_at = case when p.left_at is null then p.listed_at else ${now} end, left_at = null
    from roster_upload_rows r join roster_uploads u on u.id = r.upload_id where ${ofUpload} and ${isListed}`,
  );
  const fresh = await insertNew(tx, upload, now);
  await tx.query(sql`
    update roster_uploads set applied_at = ${now}, removed_count = ${removed}, unchanged_count = ${unchanged},
      created_count = ${fresh + returned}, updated_count = ${known - returned}
    where id = ${upload.id}`);
}

/** Returns how many rows a statement is about. */
export const count = async (tx: Queryable, statement: Sql): Promise<number> => (await tx.query(statement)).rowCount;

/** Their open pings are resolved only after the other rows are identified (`process.ts`), because a patient may just have a new member id. */
const removeMissing = (tx: Queryable, upload: Upload, now: Date): Promise<number> =>
  count(
    tx,
    sql`
    with p as (
      update roster_patients p set left_at = ${now}
      where p.group_id = ${upload.groupId} and p.left_at is null and ${isMissing(upload.id)} returning p.*)
    insert into roster_upload_before (${BEFORE_COLUMNS})
    select ${upload.id}, p.id, null, p.content_hash, p.relationship, p.upload_id, p.attested_by, p.opens_from from p`,
  );

const BEFORE_COLUMNS = sql`upload_id, listing_id, cells, content_hash, relationship, written_by, attested_by, opens_from`;

/** Earlier uploads of the group can't be undone any more. */
async function forgetBefore(tx: Queryable, { groupId }: Upload): Promise<void> {
  await tx.query(sql`
    delete from roster_upload_before where upload_id in (select id from roster_uploads where group_id = ${groupId})`);
}

/** Keeps the listings that the upload changes as they are, for an undo (`undo.ts`). */
async function keepBefore(tx: Queryable, { id, groupId }: Upload): Promise<void> {
  await tx.query(sql`
    insert into roster_upload_before (${BEFORE_COLUMNS})
    select ${id}, p.id, ${LISTED_ROW}, p.content_hash, p.relationship, p.upload_id, p.attested_by, p.opens_from
    from roster_upload_rows r join roster_patients p on p.group_id = ${groupId} and p.member_id = r.member_id
    where r.upload_id = ${id} and r.errors is null and p.left_at is null`);
}

/** Keeps only the row number and the errors of rows with errors, for the report. */
export const clearErrorRows = (tx: Queryable, uploadId: string) =>
  tx.query(
    sql`update roster_upload_rows set cells = '{}' where upload_id = ${uploadId} and errors is not null and cells <> '{}'`,
  );

/**
 * Gives each new row a person of its own until it is identified. Ids are assigned first, because returned ids could not be matched to rows. Each row is
 * looked up by itself: where PostgreSQL believes that the group lists no one, a join compares each row with all that this statement has inserted.
 */
const insertNew = (tx: Queryable, upload: Upload, now: Date): Promise<number> =>
  count(
    tx,
    sql`
    with r as materialized (
      select r.*, nextval('persons_id_seq') as person_id
      from roster_upload_rows r left join lateral (
        select p.id from roster_patients p where p.group_id = ${upload.groupId} and p.member_id = r.member_id offset 0) listed on true
      where r.upload_id = ${upload.id} and r.errors is null and listed.id is null
      order by r.row_number),
    person as (
      insert into persons (id, created_at) overriding system value select person_id, ${now} from r)
    insert into roster_patients (group_id, member_id, person_id, listed_at, opens_from, ${COLUMNS})
    select ${upload.groupId}, r.member_id, r.person_id, ${now}, ${opensFrom(now)}, ${VALUES}
    from r join roster_uploads u on u.id = r.upload_id cross join ${CELLS}`,
  );
