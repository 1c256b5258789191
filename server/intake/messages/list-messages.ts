/** Received messages and what became of them. Lists leave out the text, which is patient data. */
import type { z } from 'zod';
import type { Message, messageFilters } from '#contract/feeds.ts';
import { maySeeMessage } from '#server/intake/feeds/feed-scope.ts';
import { decodeText } from '#server/intake/hl7/charset.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { DOCUMENT_STORED, DOCUMENT_WAITS } from './document-outcomes.ts';
import { indentedJson, visibleText } from './visible-text.ts';

type Filters = z.output<typeof messageFilters>;

/** `outcome`: what the message's facts amount to now; a later message may have changed that. */
type MessageRow = Message & { outcome: string | null };

/**
 * SQL: the patient of message `m` as the facility that it is about lists them, if it is one of the groups. Messages of a feed for several facilities
 * can be about one whose patients the reader may not see.
 */
const namedPatient = (groupIds: readonly string[]): Sql => sql`(
  select jsonb_build_object('id', r.id || '_' || coalesce(k.encounter_id, 0), 'name', concat_ws(', ', nullif(r.last_name, ''), nullif(r.first_name, '')))
  from facts k join source_patients s on s.id = k.source_patient_id
    join roster_patients r on r.person_id = s.person_id and r.group_id = s.group_id
  where k.message_id = m.id and s.group_id = any (${groupIds}::bigint[])
  order by k.ordinal, r.id limit 1)`;

/** SQL: the patient of fact `k` waits for someone to decide who it is. */
const isInReview = sql`exists (
  select from match_reviews r where r.subject = 'SOURCE_PATIENT' and r.subject_id = k.source_patient_id and r.decided_at is null)`;

const selectMessage = (groupIds: readonly string[]): Sql => sql`
  select m.id, m.feed_id as "feedId", case when m.source in ('MANUAL', 'LINK') then 'Tidings' else f.name end as "feedName", m.received_at as "receivedAt", m.control_id as "controlId",
    m.message_type as "messageType", m.sending_application as "sendingApplication", m.sending_facility as "sendingFacility",
    m.status, m.reason, coalesce(octet_length(m.raw), 0) as bytes, m.processed_at as "processedAt",
    case when m.source = 'LINK' then (
      select coalesce('of ' || (k.adt #>> '{link,organization}') || ', ', '') || 'by “' || (k.adt #>> '{link,name}') || '” (not verified)' from facts k where k.message_id = m.id and not k.adt ? 'retracts' limit 1) end as "reportedByLink",
    (select jsonb_build_object('cause', d.cause, 'note', d.note, 'dismissedAt', to_char(d.dismissed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'dismissedBy', d.display_name)
      from message_dismissals d where d.message_id = m.id and d.ended_at is null) as dismissal,
    ${namedPatient(groupIds)} as patient,
    case when m.status = 'APPLIED' then (
      select string_agg(distinct nullif(case when k.outcome = ${DOCUMENT_STORED} and ${isInReview} then ${DOCUMENT_WAITS} else k.outcome end, ''), '; ')
      from facts k where k.message_id = m.id) end as outcome
  from messages m left join feeds f on f.id = m.feed_id`;

/** Returns a page of the messages that the actor can see, newest first. */
export async function listMessages(
  tx: ActorTransaction,
  filters: Filters,
): Promise<{ messages: Message[]; total: number; numPages: number }> {
  const { pageNumber, pageSize } = filters;
  const matches = join(conditionsOf(tx, filters), ' and ');
  const { rows } = await tx.query<MessageRow>(
    sql`${selectMessage(patientGroups(tx))} where ${matches} order by m.id desc limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`,
  );
  const counted = await tx.query<{ total: number }>(
    sql`select count(*)::int as total from messages m where ${matches}`,
  );
  notePatients(rows.flatMap(({ patient }) => (patient ? [patient.id.split('_')[0] ?? ''] : [])));
  const total = counted.rows[0]?.total ?? 0;
  // Ids are given when messages are stored: one of a job, or of another connection, may have been received before one with a lower id.
  rows.sort((a, b) => Date.parse(b.receivedAt) - Date.parse(a.receivedAt));
  return { messages: rows.map(withReason), total, numPages: Math.ceil(total / pageSize) };
}

/** Returns the groups whose messages the actor reads and whose patients the actor may see. */
const patientGroups = ({ actor, groupIds }: ActorTransaction): string[] => {
  const visible = new Set(actor.groupsWith('canViewPatients'));
  return groupIds.filter((id) => visible.has(id));
};

function conditionsOf(tx: ActorTransaction, filters: Filters): Sql[] {
  const { feedId, status, controlId, receivedFrom, receivedTo } = filters;
  return [
    maySeeMessage(tx),
    ...(feedId ? [sql`m.feed_id = ${feedId}`] : []),
    ...(status ? [sql`m.status = ${status}`] : []),
    ...(controlId ? [sql`m.control_id = ${controlId}`] : []),
    ...(receivedFrom ? [sql`m.received_at >= ${receivedFrom}::timestamptz`] : []),
    ...(receivedTo ? [sql`m.received_at < ${receivedTo}::timestamptz`] : []),
  ];
}

/** Throws NOT_FOUND if the actor can't see the message. */
export async function findMessage(tx: ActorTransaction, id: string): Promise<Message> {
  const { rows } = await tx.query<MessageRow>(
    sql`${selectMessage(patientGroups(tx))} where m.id = ${id} and ${maySeeMessage(tx)}`,
  );
  const [row] = rows;
  if (row === undefined) throw new ApiError('NOT_FOUND');
  return withReason(row);
}

/** The stored reason dates from processing. If the outcome has changed since, it comes first. */
function withReason({ outcome, ...message }: MessageRow): Message {
  if (outcome === null || message.reason.startsWith(outcome)) return message;
  if (outcome === DOCUMENT_WAITS) return { ...message, reason: outcome };
  return { ...message, reason: `${outcome} (originally: ${message.reason})` };
}

/** Notes for the audit log whom a message is about. */
export async function notePatientsOf(tx: ActorTransaction, id: string): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(sql`select id from patients_of_message(${id}) as id`);
  notePatients(rows.map((row) => row.id));
}

/** Returns a message's text for display; null if its bytes are not stored. The caller has checked access (`findMessage`). */
export async function messageText(tx: ActorTransaction, id: string): Promise<string | null> {
  const { rows } = await tx.query<{ raw: Buffer | null; isFhir: boolean }>(
    sql`select raw, source = 'FHIR' as "isFhir" from messages where id = ${id}`,
  );
  const { raw = null, isFhir } = rows[0] ?? {};
  return raw && visibleText(isFhir ? indentedJson(raw) : decodeText(raw));
}
