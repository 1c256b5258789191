import { isLinkInUse, type LinkPurpose } from '#contract/facility-link-words.ts';
import type { FacilityLink, LinkAnswer, LinkUpload } from '#contract/facility-links.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { type About, IS_STILL_ASKED, isInUse } from './stay.ts';

/** Expression on `facility_links l`: its state at `now`. */
const stateAt = (now: Date): Sql => sql`case
  when l.answered_at is not null then case when l.revoked_at is null then 'ANSWERED' else 'TAKEN_BACK' end
  when l.revoked_at is not null then 'REVOKED'
  when l.locked_at is not null then 'LOCKED'
  when l.expires_at <= ${now} then 'EXPIRED'
  when l.opened_at is not null then 'OPENED' else 'SENT' end`;

/** Links shown of one stay. */
const SHOWN = 50;

/** Returns the team's links about a visit of a person, newest first. */
export async function linksOf(
  tx: ActorTransaction,
  { personId, encounterId }: { personId: string; encounterId: string },
  now: Date,
): Promise<FacilityLink[]> {
  const { rows } = await tx.query<FacilityLink>(sql`
    select l.id, l.purpose, ${stateAt(now)} as state, l.recipient, l.created_by_name as "createdBy", l.created_at as "createdDate",
      l.expires_at as "expiresDate", l.opened_at as "openedDate", l.revoked_by_name as "revokedBy",
      case when l.purpose = 'CONFIRM_DISCHARGE' then l.answer end as answer, case when l.purpose = 'UPLOAD_SUMMARY' then l.answer end as upload,
      l.answered_at as "answeredDate"
    from roster_patients r join facility_links l on l.roster_patient_id = r.id
    where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)} and l.encounter_id = ${encounterId}
      and l.team_id = ${tx.actor.teamId}
    order by l.id desc limit ${SHOWN}`);
  return rows;
}

/** Marks links that have ended with the access of whoever made them, which only the pipeline role reads. */
export async function withEnded(pipeline: Queryable, links: readonly FacilityLink[]): Promise<FacilityLink[]> {
  const { rows } = await pipeline.query<{ id: string }>(sql`
    select l.id from facility_links l where l.id = any (${links.map(({ id }) => id)}::bigint[]) and not ${IS_STILL_ASKED}`);
  const ended = new Set(rows.map(({ id }) => id));
  return links.map((link) => (isLinkInUse(link.state) && ended.has(link.id) ? { ...link, state: 'ENDED' } : link));
}

/** A link to be created. */
export interface NewLink {
  tokenHash: Buffer;
  purpose: LinkPurpose;
  rosterPatientId: string;
  encounterId: string;
  about: About;
  recipient: string | null;
  expiresAt: Date;
}

/** Adds a link of the team and returns its id. */
export async function insertLink(
  tx: Queryable,
  link: NewLink,
  { userId, displayName, teamId }: { userId: string; displayName: string; teamId: string },
  now: Date,
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into facility_links (token_hash, purpose, team_id, roster_patient_id, encounter_id, about_message_id, about, recipient,
      created_by, created_by_name, created_at, expires_at)
    values (${link.tokenHash}, ${link.purpose}, ${teamId}, ${link.rosterPatientId}, ${link.encounterId}, ${link.about.messageId},
      ${link.about.contentHash}, ${link.recipient}, ${userId}, ${displayName}, ${now}, ${link.expiresAt})
    returning id`);
  return rows[0]?.id ?? '';
}

/** A link whose holder has to prove whom it is about. */
export interface HeldLink {
  id: string;
  purpose: LinkPurpose;
  about: About;
  teamId: string;
  rosterPatientId: string;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  /** Of its team. */
  organizationId: string;
}

/**
 * Counts a try of the link's holder, before anything is compared, and returns the link; null if there is none that works, for whatever reason: one
 * statement, so that all reasons take the same time. Parallel tries wait for each other's row.
 */
export async function countTry(db: Queryable, tokenHash: Buffer, now: Date): Promise<HeldLink | null> {
  const { rows } = await db.query<HeldLink>(sql`
    update facility_links l set tries = tries + 1
    where l.token_hash = ${tokenHash} and l.tries < 3 and ${isInUse(now)}
    returning l.id, l.purpose, json_build_object('messageId', l.about_message_id::text, 'contentHash', l.about) as about,
      l.team_id as "teamId", l.roster_patient_id as "rosterPatientId", l.created_by as "createdBy", l.created_at as "createdAt",
      l.expires_at as "expiresAt", (select organization_id from teams t where t.id = l.team_id) as "organizationId"`);
  return rows[0] ?? null;
}

/** An answer that is stored with its link. */
export type StoredAnswer = StoredLink &
  ({ purpose: 'CONFIRM_DISCHARGE'; answer: LinkAnswer } | { purpose: 'UPLOAD_SUMMARY'; answer: KeptUpload });

/** `hasEnded`: the stay had, when the file came; absent in uploads from before it was kept. */
export type KeptUpload = LinkUpload & { hasEnded?: boolean };

interface StoredLink {
  id: string;
  /** Whose team made the link. */
  organization: string;
  about: About;
  /** The uploaded file, until its message is stored. */
  file: Buffer | null;
  answeredAt: string;
  messageId: string | null;
  revoked: { userId: string; name: string; at: string } | null;
}

const STORED = sql`
  select l.id, l.purpose, o.name as organization, json_build_object('messageId', l.about_message_id::text, 'contentHash', l.about) as about, l.answer, l.file,
    l.answered_at as "answeredAt", l.message_id as "messageId",
    case when l.revoked_at is not null then json_build_object(
      'userId', l.revoked_by::text, 'name', l.revoked_by_name, 'at', l.revoked_at) end as revoked
  from facility_links l join teams t on t.id = l.team_id join organizations o on o.id = t.organization_id`;

/** With a file each, they have to fit the memory. */
const MOST_UNSENT = 10;

/** Returns answers of which a message is not stored yet: of one link, or of those that were given or taken back before a time. */
export async function unsentAnswers(db: Queryable, of: { id: string } | { before: Date }): Promise<StoredAnswer[]> {
  const chosen = 'id' in of ? sql`l.id = ${of.id}` : sql`coalesce(l.revoked_at, l.answered_at) < ${of.before}`;
  const { rows } = await db.query<StoredAnswer>(sql`
    ${STORED}
    where l.answered_at is not null and (l.message_id is null or l.revoked_at is not null and l.retraction_id is null)
      and ${chosen}
    order by l.id limit ${'id' in of ? 1 : MOST_UNSENT}`);
  return rows;
}
