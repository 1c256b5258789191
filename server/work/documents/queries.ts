import type { PatientOfPage } from '#contract/document-words.ts';
import type { CcdEntry } from '#contract/documents.ts';
import { type ActorTransaction } from '#server/people/access/door.ts';
import { mayReadDocument, mayReadListing } from '#server/people/access/policy.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { StoredModel } from './read-stored.ts';

/** A document as listed, with what is needed to open it. */
export interface DocumentRow extends CcdEntry {
  id: string;
  personId: string;
  contentId: string;
  fileId: string | null;
  mediaType: string;
  fileMediaType: string | null;
  fileSize: number | null;
}

/** SQL: a moment of a visit as the API answers it: a day if its time of day is unknown. */
const dateIn = (moment: Sql): Sql =>
  sql`case when ${moment} ->> 'precision' = 'day' then ${moment} ->> 'localDate' else ${moment} ->> 'instant' end`;

/** Returns the current documents that the team may read and that fit the condition on `documents d`, newest first. */
export async function documentRows(tx: ActorTransaction, condition: Sql): Promise<DocumentRow[]> {
  const { rows } = await tx.query<DocumentRow>(sql`
    select d.id, d.uuid, d.person_id as "personId", d.content_id as "contentId", d.file_id as "fileId", d.kind, d.title, d.type, d.author,
      d.written as "writtenAt", d.received_at as "receivedAt", c.size, c.media_type as "mediaType", c.problem,
      f.media_type as "fileMediaType", f.size as "fileSize", d.uploaded_by as "uploadedBy", d.uploaded_for as "uploadedFor",
      d.is_discharge_summary as "isDischargeSummary", d.act = 'ADDENDUM' as "isAddendum",
      d.is_restricted or g.is_part2_facility as "isRestricted", visit.id as "encounterId",
      g.name as "encounterFacilityName", g.facility_type as "encounterFacilityType",
      ${dateIn(sql`(visit.state -> 'admittedAt')`)} as "encounterStartDate", ${dateIn(sql`(visit.state -> 'dischargedAt')`)} as "encounterEndDate"
    from documents d
      join groups g on g.id = d.group_id
      join document_contents c on c.id = d.content_id
      left join document_contents f on f.id = d.file_id
      left join encounters visit on visit.id = d.encounter_id
    where d.status = 'CURRENT' and d.act <> 'CANCEL' and (${condition}) and ${mayReadDocument(tx.groupIds)}
    -- One that is dated in the future is no newer than when it came.
    order by least(d.written_at, d.received_at) desc, d.id desc`);
  return rows;
}

/** Bytes, compressed, of models that are loaded for one question. */
const MOST_STORED = 8 * 1024 * 1024;

/**
 * Returns the documents among these that could be read as clinical documents, with what was read, compressed, in their order. It stops where they
 * become larger than anything that systems send, but after the first at the earliest.
 */
export async function storedModels(tx: ActorTransaction, rows: readonly DocumentRow[]): Promise<StoredModel[]> {
  const { rows: stored } = await tx.query<{ at: number; model: Buffer }>(sql`
    select at::int, model from (
      select asked.at, c.model, sum(octet_length(c.model)) over (order by asked.at) as so_far
      from unnest(${rows.map(({ contentId }) => contentId)}::bigint[]) with ordinality asked (id, at)
        join document_contents c on c.id = asked.id
      where c.model is not null) sized
    where so_far <= ${MOST_STORED} or at = 1 order by at`);
  return stored.flatMap(({ at, model }) => {
    const row = rows[at - 1];
    return row ? [{ uuid: row.uuid, title: row.title, writtenAt: row.writtenAt, model }] : [];
  });
}

/** Returns the person's listing in the transaction's groups by which the audit log names the person; undefined if none has one. */
export async function listingOf(tx: ActorTransaction, personId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select r.id from roster_patients r where r.person_id = ${personId} and r.group_id = any (${tx.groupIds}::bigint[])
    order by r.left_at is not null, r.id limit 1`);
  return rows[0]?.id;
}

/** Returns the patient as the team's listing names them; undefined if none of its groups has that listing. */
export async function patientOfPage(tx: ActorTransaction, rosterPatientId: string): Promise<PatientOfPage | undefined> {
  const { rows } = await tx.query<PatientOfPage>(sql`
    select first_name as "firstName", last_name as "lastName", date_of_birth::text as "dateOfBirth" from roster_patients r
    where r.id = ${rosterPatientId} and ${mayReadListing(tx.groupIds)}`);
  return rows[0];
}

/** Returns the group that lists the patient under the first part of a patient id. */
export async function creatingGroupOf(tx: ActorTransaction, rosterPatientId: string): Promise<string> {
  const { rows } = await tx.query<{ groupId: string }>(sql`
    select group_id as "groupId" from roster_patients where id = ${rosterPatientId}`);
  return rows[0]?.groupId ?? '';
}

/** Whether the user left the discharge summary feature. */
export async function optedOut(tx: ActorTransaction): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    select from opt_outs where user_id = ${tx.actor.userId} and feature = 'DISCHARGE_SUMMARY_MIHIN'`);
  return rowCount > 0;
}
