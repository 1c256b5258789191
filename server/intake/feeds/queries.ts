import type { FeedFields } from '#contract/feeds.ts';
import type { SeenOrder } from '#server/intake/hl7/time.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql, versionOf } from '#server/platform/database/sql.ts';
import { withPurpose } from '#server/platform/database/with-purpose.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { ACCEPTS_MESSAGE } from './feed-lookup.ts';

/** SQL: the entries of feed `f`, as `facilities`. */
export const LISTED = sql`
  select coalesce(jsonb_agg(jsonb_build_object('identifier', ff.identifier, 'groupId', ff.group_id::text,
    'registrationIsVisit', ff.registration_is_visit) order by ff.identifier), '[]') as facilities
  from feed_facilities ff where ff.feed_id = f.id`;

/** SQL: the version of feed `f` with its entries `listed`. */
export const FEED_VERSION = versionOf(sql`f.name, f.sending_application, f.sending_facility, f.settings, f.is_backfill,
  f.approved_at, f.proposal, listed.facilities`);

/** Who sends, and for which facilities: what an operator approves. */
export type SenderFields = Pick<FeedFields, 'sendingApplication' | 'sendingFacility' | 'facilities'>;

export interface StoredFeed {
  name: string;
  kind: 'MLLP' | 'FHIR' | 'CCDA';
  settings: Record<string, unknown>;
  isBackfill: boolean;
  /** Whether an operator has approved `sender`. Messages belong to the feed only then. */
  isApproved: boolean;
  sender: SenderFields;
  /** What an administrator asked to replace `sender` with, until an operator decides. */
  proposal: SenderFields | null;
  version: string;
}

/** Throws NOT_FOUND if there is no such feed. */
export async function readFeed(tx: Queryable, id: string): Promise<StoredFeed> {
  const { rows } = await tx.query<StoredFeed>(sql`
    select f.name, f.kind, f.settings, f.is_backfill as "isBackfill", f.approved_at is not null as "isApproved", f.proposal,
      jsonb_build_object('sendingApplication', f.sending_application, 'sendingFacility', f.sending_facility,
        'facilities', listed.facilities) as sender,
      ${FEED_VERSION} as version
    from feeds f cross join lateral (${LISTED}) listed
    where f.id = ${id}`);
  if (rows[0] === undefined) throw new ApiError('NOT_FOUND');
  return rows[0];
}

export async function organizationOfFeed(tx: Queryable, id: string): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(sql`select organization_id as id from feeds where id = ${id}`);
  return rows[0]?.id ?? '';
}

/**
 * Returns the new feed's ID. `approvedBy`: the operator who adds it; null if an operator has yet to approve it. Throws unique_violation
 * if an active feed of the organization has the name.
 */
export async function insertFeed(
  tx: Queryable,
  {
    organizationId,
    approvedBy,
    kind,
    ...feed
  }: FeedFields & { kind: 'MLLP' | 'FHIR'; organizationId: string; approvedBy: string | null },
  now: Date,
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(sql`
    with added as (select nextval(pg_get_serial_sequence('feeds', 'id')) as id)
    insert into feeds (id, organization_id, name, kind, sending_application, sending_facility, settings, is_backfill, created_at,
      approved_at, approved_by)
    overriding system value
    select id, ${organizationId}, ${feed.name}, ${kind}, ${kind === 'FHIR' ? sql`'FHIR feed ' || id` : sql`${feed.sendingApplication}`},
      ${kind === 'FHIR' ? null : feed.sendingFacility}, ${JSON.stringify(feed.settings)}, ${feed.isBackfill}, ${now},
      ${approvedBy === null ? null : now}, ${approvedBy}
    from added returning id`);
  const id = rows[0]?.id ?? '';
  await insertFacilities(tx, id, feed.facilities);
  return id;
}

/** Changes how the feed is read. Throws unique_violation if another active feed of the organization has the name. */
export async function updateReading(
  tx: Queryable,
  id: string,
  feed: Pick<FeedFields, 'name' | 'settings' | 'isBackfill'>,
): Promise<void> {
  await tx.query(sql`
    update feeds set name = ${feed.name}, settings = ${JSON.stringify(feed.settings)}, is_backfill = ${feed.isBackfill}
    where id = ${id}`);
}

/** Puts a sender with its facilities in force, and drops a proposal. */
export async function updateSender(tx: Queryable, id: string, sender: SenderFields): Promise<void> {
  await tx.query(sql`
    update feeds set sending_application = ${sender.sendingApplication}, sending_facility = ${sender.sendingFacility}, proposal = null
    where id = ${id}`);
  await tx.query(sql`delete from feed_facilities where feed_id = ${id}`);
  await insertFacilities(tx, id, sender.facilities);
}

/** Stores what an administrator asks for, or drops it (null). */
export async function setProposal(tx: Queryable, id: string, proposal: SenderFields | null): Promise<void> {
  const stored = proposal === null ? null : JSON.stringify(proposal);
  await tx.query(sql`update feeds set proposal = ${stored}::jsonb where id = ${id}`);
}

/** Records who asks an operator to approve the sender. */
export async function setAskedBy(tx: Queryable, id: string, userId: string): Promise<void> {
  await tx.query(sql`update feeds set asked_by = ${userId} where id = ${id}`);
}

/** Returns who last asked an operator to approve the feed's sender, and the feed's name. */
export async function askerOf(tx: Queryable, id: string): Promise<{ userId: string | null; name: string }> {
  const { rows } = await tx.query<{ userId: string | null; name: string }>(
    sql`select asked_by as "userId", name from feeds where id = ${id}`,
  );
  return rows[0] ?? { userId: null, name: '' };
}

export async function setApproved(tx: Queryable, id: string, by: string, now: Date): Promise<void> {
  await tx.query(sql`update feeds set approved_at = ${now}, approved_by = ${by} where id = ${id}`);
}

async function insertFacilities(tx: Queryable, feedId: string, facilities: FeedFields['facilities']): Promise<void> {
  await tx.query(sql`
    insert into feed_facilities (feed_id, identifier, group_id, registration_is_visit)
    select ${feedId}::bigint, f.* from unnest(${facilities.map(({ identifier }) => identifier)}::text[],
      ${facilities.map(({ groupId }) => groupId)}::bigint[],
      ${facilities.map(({ registrationIsVisit }) => registrationIsVisit)}::boolean[]) as f`);
}

/** Pauses the feed since a time, or resumes it (null). Returns false if it was paused or resumed already. */
export async function setPaused(tx: Queryable, id: string, since: Date | null): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update feeds set paused_at = ${since} where id = ${id} and (paused_at is null) = ${since !== null}`);
  return rowCount > 0;
}

/** Returns whether the feed is paused and has messages waiting. */
export async function holdsMessages(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    select from feeds f where f.id = ${id} and f.paused_at is not null
      and exists (select from messages where feed_id = f.id and status = 'QUARANTINED')`);
  return rowCount > 0;
}

export async function endFeed(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query(sql`update feeds set ended_at = ${now}, paused_at = null where id = ${id}`);
}

export async function programsAmong(tx: Queryable, groupIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from groups where id = any (${groupIds}::bigint[]) and type = 'PROGRAM'`,
  );
  return new Set(rows.map(({ id }) => id));
}

interface FeedInReach {
  name: string;
  organizationId: string;
  groupIds: string[];
  namesApplication: boolean;
  /** The feed is active and names the same sender. */
  isSame: boolean;
}

/**
 * Returns the feeds other than `id`, ended ones included, that could receive a message of this sender. A feed of another organization
 * counts only once it was approved: a claim alone must not keep a sender from the organization to which it belongs.
 */
export async function feedsInReach(
  tx: Queryable,
  of: { id: string | null; organizationId: string; sendingApplication: string | null; sendingFacility: string | null },
): Promise<FeedInReach[]> {
  const [application, facility] = [sql`${of.sendingApplication}::text`, sql`${of.sendingFacility}::text`];
  const { rows } = await tx.query<FeedInReach>(sql`
    select f.name, f.organization_id as "organizationId", f.sending_application is not null as "namesApplication",
      array(select group_id::text from feed_facilities where feed_id = f.id) as "groupIds",
      f.ended_at is null and f.sending_application is not distinct from ${application}
        and f.sending_facility is not distinct from ${facility} as "isSame"
    from feeds f
    where f.kind = 'MLLP' and f.id is distinct from ${of.id}::bigint
      and (f.approved_at is not null or f.organization_id = ${of.organizationId})
      and coalesce(f.sending_application = ${application}, true) and coalesce(f.sending_facility = ${facility}, true)`);
  return rows;
}

/** SQL: message `m` belongs to no feed, or to one that has ended. */
export const IS_FREE_MESSAGE = sql`(m.feed_id is null or m.feed_id in (select id from feeds where ended_at is not null))`;

/**
 * Assigns to the feed the quarantined messages of its sender that have no feed, or one that has ended, and adds them to its daily counts.
 * Returns how many.
 */
export async function adoptMessages(tx: Queryable, id: string): Promise<number> {
  const { rows } = await withPurpose(tx, 'adoption', () =>
    tx.query<{ id: string; receivedAt: string }>(sql`
      update messages m set feed_id = f.id, reason = 'The feed of this sender is set up now. Replay the message.' from feeds f
      where f.id = ${id} and m.status = 'QUARANTINED' and ${ACCEPTS_MESSAGE}
        and ${IS_FREE_MESSAGE}
      returning m.id, m.received_at as "receivedAt"`),
  );
  await countReceived(
    tx,
    rows.map(({ receivedAt }) => ({ feedId: id, receivedAt })),
  );
  return rows.length;
}

const COUNT_RECEIVED = `
insert into feed_counts (feed_id, day, received, last_at)
select feed_id, (received_at at time zone 'UTC')::date, count(*), max(received_at)
from unnest($1::bigint[], $2::timestamptz[]) as m (feed_id, received_at)
where feed_id is not null group by 1, 2 order by 1, 2
on conflict (feed_id, day) do update
set received = feed_counts.received + excluded.received, last_at = greatest(feed_counts.last_at, excluded.last_at)`;

const COUNT_HOURS = `
insert into feed_hours as h (feed_id, hour, received)
select feed_id, date_trunc('hour', received_at, 'UTC'), count(*)
from unnest($1::bigint[], $2::timestamptz[]) as m (feed_id, received_at)
where feed_id is not null group by 1, 2 order by 1, 2
on conflict (feed_id, hour) do update set received = h.received + excluded.received`;

/** Adds messages to the daily and hourly counts of their feeds; those without a feed are not counted. */
export async function countReceived(
  tx: Queryable,
  messages: readonly { feedId: string | null; receivedAt: string }[],
): Promise<void> {
  const values = [messages.map((m) => m.feedId), messages.map((m) => m.receivedAt)];
  await Promise.all([tx.query(COUNT_RECEIVED, values), tx.query(COUNT_HOURS, values)]);
}

/** Adds messages to what is known of the order of month and day in a feed's dates. */
export async function countDateOrders(
  tx: Queryable,
  messages: readonly { feedId: string; receivedAt: string; seen: SeenOrder }[],
): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(sql`
    insert into feed_date_orders (feed_id, seen, messages, last_at)
    select feed_id, seen, count(*), max(received_at)
    from unnest(${messages.map((m) => m.feedId)}::bigint[], ${messages.map((m) => m.seen)}::text[],
      ${messages.map((m) => m.receivedAt)}::timestamptz[]) as m (feed_id, seen, received_at)
    group by 1, 2 order by 1, 2
    on conflict (feed_id, seen) do update set messages = feed_date_orders.messages + excluded.messages,
      last_at = greatest(feed_date_orders.last_at, excluded.last_at)`);
}

/** Puts the quarantined messages of a feed back into the queue and returns how many. The caller has checked access. */
export async function requeueQuarantined(tx: Queryable, feedId: string): Promise<number> {
  const { rowCount } = await tx.query(sql`
    update messages set status = 'PENDING', reason = '', attempts = 0, processed_at = null, sender = feed_id
    where feed_id = ${feedId} and status = 'QUARANTINED' and raw is not null`);
  return rowCount;
}

/** Puts the quarantined messages of a feed back into the queue and returns how many; those of a paused feed stay until it is resumed. */
export async function replayUnlessPaused(tx: Queryable, feedId: string): Promise<number> {
  const { rowCount } = await tx.query(sql`select from feeds where id = ${feedId} and paused_at is null`);
  return rowCount === 0 ? 0 : requeueQuarantined(tx, feedId);
}
