import { type CareTeamEntry, type CareTeamRecord, MOST_CARE_RECORDS, type ProgramOfPatient } from '#contract/care.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** A listing on which what a team writes about a patient is kept. */
export interface OwnListing {
  id: string;
  groupId: string;
}

/**
 * Returns the listing of the person, by one of the transaction's groups, that what is written now is kept with. A 42 CFR Part 2 facility's comes first,
 * because a team that also works for other groups may write what it knows from there; then one that lists the person now, then the oldest. Others who
 * write about it wait until the transaction ends, so that order and limits hold.
 */
export async function lockListing(tx: ActorTransaction, personId: string): Promise<OwnListing> {
  const { rows } = await tx.query<OwnListing>(sql`
    select r.id, r.group_id as "groupId" from roster_patients r join groups g on g.id = r.group_id
    where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)}
    order by g.is_part2_facility desc, r.left_at is not null, r.id limit 1`);
  const [listing] = rows;
  if (!listing) throw new ApiError('NOT_FOUND');
  await lockCare(tx, listing.id);
  return listing;
}

/** Waits for others who write about the listing. */
export async function lockCare(tx: ActorTransaction, listingId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`care ${listingId}`}, 0))`);
}

/** Condition on `c`: a current record or instruction about the person. Row-level security leaves out what is not shared with the groups. */
export const currentCareOf = (personId: string): Sql =>
  sql`c.roster_patient_id in (select care_listings(${personId})) and c.ended_at is null`;

/** Returns a person's programs by organization: from the groups' own rosters, and from those of others that are shared with them. */
export async function programsOf(tx: ActorTransaction, personId: string): Promise<ProgramOfPatient[]> {
  const { rows } = await tx.query<ProgramOfPatient>(
    sql`select organization, program as "programName" from programs_of(${personId})`,
  );
  return rows;
}

/** Returns a person's care team: records of the transaction's groups first, and whom to call first before others. */
export async function careTeamOf(tx: ActorTransaction, personId: string): Promise<CareTeamRecord[]> {
  return careTeamRecords(tx, currentCareOf(personId));
}

/** Returns the record, if it is a current one about the person. */
export async function careTeamRecordOf(
  tx: ActorTransaction,
  personId: string,
  recordId: string,
): Promise<CareTeamRecord | undefined> {
  const [record] = await careTeamRecords(tx, sql`c.id = ${recordId} and ${currentCareOf(personId)}`);
  return record;
}

async function careTeamRecords(tx: ActorTransaction, condition: Sql): Promise<CareTeamRecord[]> {
  const plans = tx.actor.groupsWith('canViewCarePlans');
  const { rows } = await tx.query<CareTeamRecord>(sql`
    select c.id, c.roster_patient_id as "rosterPatientId", c.group_id as "groupId", g.name as "groupName", o.name as "organizationName",
      c.program, c.created_at as "userCreatedDate", c.contact_name as "contactName", c.contact_job_title as "contactJobTitle",
      c.contact_phone as "contactPhone", c.contact_email as "contactEmail", c.contact_fax as "contactFax",
      case when c.group_id = any (${plans}::bigint[]) then c.content end as content,
      case when ${plans.length > 0} then c.content is not null end as "hasCarePlan", c.is_called_first as "isCalledFirst",
      c.modified_at as "modifiedAt", c.version::text,
      c.group_id = any (${tx.actor.groupsWith('canEditCarePlans')}::bigint[]) as editable
    from care_team_records c join groups g on g.id = c.group_id join organizations o on o.id = g.organization_id
    where ${condition}
    order by c.group_id = any (${tx.groupIds}::bigint[]) desc, c.is_called_first desc, lower(c.contact_name), c.id`);
  return rows;
}

/** Whether the listing has as many current records as a group may enter. */
export async function isFull(tx: ActorTransaction, listingId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    sql`select from care_team_records where roster_patient_id = ${listingId} and ended_at is null`,
  );
  return rowCount >= MOST_CARE_RECORDS;
}

/** Makes none of the listing's records the one to call first. */
export async function callNoneFirst(tx: ActorTransaction, listingId: string): Promise<void> {
  await tx.query(sql`
    update care_team_records set is_called_first = false, version = version + 1
    where roster_patient_id = ${listingId} and is_called_first and ended_at is null`);
}

/** Empty text counts as none. */
const valuesOf = (entry: CareTeamEntry) => ({
  program: entry.program || null,
  name: entry.contactName,
  title: entry.contactJobTitle || null,
  phone: entry.contactPhone || null,
  email: entry.contactEmail || null,
  fax: entry.contactFax || null,
  content: entry.content || null,
});

/** Adds a record, and returns its id. */
export async function addRecord(
  tx: ActorTransaction,
  { id, groupId }: OwnListing,
  entry: CareTeamEntry,
  now: Date,
): Promise<string> {
  const { program, name, title, phone, email, fax, content } = valuesOf(entry);
  const { userId } = tx.actor;
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into care_team_records (roster_patient_id, group_id, program, contact_name, contact_job_title, contact_phone, contact_email,
      contact_fax, content, is_called_first, created_at, created_by, modified_at, modified_by)
    values (${id}, ${groupId}, ${program}, ${name}, ${title}, ${phone}, ${email}, ${fax}, ${content}, ${entry.isCalledFirst}, ${now},
      ${userId}, ${now}, ${userId})
    returning id`);
  return rows[0]?.id ?? '';
}

/** Replaces a record's values; its care plan only if the entry has one, or null. */
export async function changeRecord(
  tx: ActorTransaction,
  recordId: string,
  entry: CareTeamEntry,
  now: Date,
): Promise<void> {
  const { program, name, title, phone, email, fax, content } = valuesOf(entry);
  await tx.query(sql`
    update care_team_records set program = ${program}, contact_name = ${name}, contact_job_title = ${title}, contact_phone = ${phone},
      contact_email = ${email}, contact_fax = ${fax}, content = case when ${entry.content !== undefined} then ${content} else content end,
      is_called_first = ${entry.isCalledFirst}, version = version + 1, modified_at = ${now}, modified_by = ${tx.actor.userId}
    where id = ${recordId} and group_id = any (${tx.groupIds}::bigint[])`);
}

export async function endRecord(tx: ActorTransaction, recordId: string, now: Date): Promise<void> {
  await tx.query(sql`
    update care_team_records set ended_at = ${now}, version = version + 1, modified_at = ${now}, modified_by = ${tx.actor.userId}
    where id = ${recordId} and group_id = any (${tx.groupIds}::bigint[])`);
}

/** Returns the name of the user who last changed a record, and when. */
export async function lastChange(
  tx: ActorTransaction,
  table: 'care_team_records' | 'care_instructions',
  id: string,
): Promise<{ name: string; date: string } | null> {
  const from = table === 'care_team_records' ? sql`care_team_records` : sql`care_instructions`;
  const { rows } = await tx.query<{ name: string | null; date: string }>(
    sql`select name_of_user(modified_by) as name, modified_at as date from ${from} where id = ${id}`,
  );
  const [last] = rows;
  return last?.name ? { name: last.name, date: last.date } : null;
}
