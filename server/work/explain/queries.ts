import type { ExplainedNotice, PingExplanation } from '#contract/explanations.ts';
import type { GroupType } from '#contract/groups.ts';
import type { Relationship } from '#contract/relationships.ts';
import { maySeeMessage } from '#server/intake/feeds/feed-scope.ts';
import type { Moment, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';

/** What a message said about a visit, as stored, without payers and numbers. */
export type Said = Partial<Omit<VisitFacts, 'payers' | 'visitNumber' | 'accountNumber' | 'alternateVisitId'>>;

export interface MessageRow {
  messageId: string;
  receivedAt: string;
  /** The event follows from it. */
  isNamed: boolean;
  /** Null where the feed's messages are shown without what they are. */
  trigger: string | null;
  controlId: string;
  sentAt: Moment['instant'] | null;
  contentHash: string;
  outcome: string | null;
  enteredBy: string | null;
  isEntered: boolean;
  isStored: boolean;
  said: Said | null;
}

/** Returns the messages about the visit of an event, oldest first. The caller has checked that the actor may read the visit. */
export async function messagesOfEvent(tx: ActorTransaction, eventId: string): Promise<MessageRow[]> {
  const { rows } = await tx.query<MessageRow>(sql`
    select message_id as "messageId", received_at as "receivedAt", is_named as "isNamed", trigger, control_id as "controlId", sent_at as "sentAt",
      content_hash as "contentHash", outcome, entered_by as "enteredBy", is_entered as "isEntered", is_stored as "isStored", said
    from messages_of_event(${eventId})`);
  return rows;
}

export interface LinkRow {
  isListing: boolean;
  outcome: 'matched' | 'review' | 'new' | 'merged' | 'decided' | 'undone';
  date: string;
  by: string | null;
}

/** Returns how the record of the visit and the listing came to be one person. */
export async function linkOfVisit(
  tx: ActorTransaction,
  encounterId: string,
  listingId: string,
): Promise<LinkRow | null> {
  const { rows } = await tx.query<LinkRow>(sql`
    select is_listing as "isListing", outcome, created_at as date, decided_by as by from link_of_visit(${encounterId}, ${listingId})`);
  return rows[0] ?? null;
}

/**
 * Returns the evidence of the visit's link, with the compared fields and their levels, if the actor may see it: an administrator of the facility, or an
 * operator, of a record from a feed. In a transaction for canManageUsers.
 */
export async function evidenceOfVisit(
  tx: ActorTransaction,
  encounterId: string,
): Promise<{ fields?: Record<string, string> } | null> {
  const { rows } = await tx.query<{ evidence: { fields?: Record<string, string> } | null }>(
    sql`select evidence_of_visit(${encounterId}) as evidence`,
  );
  return rows[0]?.evidence ?? null;
}

/** Returns those of these messages whose text the actor may read. In a transaction for canManageUsers. */
export async function readableMessages(tx: ActorTransaction, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select m.id from messages m where m.id = any (${ids}::bigint[]) and m.raw is not null and ${maySeeMessage(tx)}`);
  return rows.map(({ id }) => id);
}

export interface RecipientRow {
  listingId: string;
  groupName: string;
  groupType: GroupType;
  listedAt: string;
  leftAt: string | null;
  relationship: Relationship | null;
  openedHow: NonNullable<PingExplanation['recipients'][number]['opening']>['how'] | null;
  openedAt: string | null;
  opensFrom: string | null;
  openedBy: string | null;
  sentAt: string;
  consentAt: string | null;
}

/** Returns the actor's groups that got a ping of the event for the person and may read it, with the listings that it was sent to. */
export async function recipientsOf(tx: ActorTransaction, eventId: string, personId: string): Promise<RecipientRow[]> {
  const { rows } = await tx.query<RecipientRow>(sql`
    select r.id as "listingId", g.name as "groupName", g.type as "groupType", r.listed_at as "listedAt", r.left_at as "leftAt", r.relationship,
      o.how as "openedHow", o.at as "openedAt", o.opens_from as "opensFrom", name_of_user(coalesce(o.user_id, u.user_id)) as "openedBy",
      p.created_at as "sentAt",
      (select max(c.given_at) from consents c join encounters n on n.id = p.encounter_id
        where c.person_id = r.person_id and c.facility_group_id = n.group_id and c.recipient_group_id = r.group_id and c.ended_at is null)
        as "consentAt"
    from pings p
      join roster_patients r on r.id = p.roster_patient_id
      join groups g on g.id = r.group_id
      left join lateral (
        select * from record_openings x where x.roster_patient_id = r.id and x.person_id = r.person_id and x.at <= p.created_at
        order by x.id desc limit 1) o on true
      left join roster_uploads u on u.id = o.upload_id
    where p.event_id = ${eventId} and r.person_id = ${personId} and p.group_id = any (${tx.groupIds}::bigint[]) and ${mayReadPing}
    order by p.created_at, p.id`);
  return rows;
}

/** Returns who on the team was notified of a ping by email or text, oldest first. */
export async function noticesOf(tx: ActorTransaction, eventId: string, personId: string): Promise<ExplainedNotice[]> {
  const { rows } = await tx.query<ExplainedNotice>(sql`
    select name, case channel when 'text' then 'TEXT' else 'EMAIL' end as channel, topic = 'CORRECTION' as "isCorrection",
      case state when 'sending' then 'QUEUED' else upper(state) end as state, at as date
    from notices_of_event(${eventId}, ${personId})`);
  return rows;
}

/** Returns who on the team has opened a visit since then. */
export async function readersOf(
  tx: ActorTransaction,
  encounterId: string,
  since: string,
): Promise<PingExplanation['readers']> {
  const { rows } = await tx.query<PingExplanation['readers'][number]>(sql`
    select name, first_at as "firstDate", last_at as "lastDate" from readers_of_visit(${encounterId}, ${since})`);
  return rows;
}
