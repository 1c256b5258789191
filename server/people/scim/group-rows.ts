import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { Filter } from './filter.ts';
import { type Attribute, type Attributes, conditionOf } from './filter-sql.ts';
import type { Provider } from './provision.ts';

export interface GroupRow {
  id: string;
  displayName: string;
  externalId: string | null;
  createdAt: string;
  /** Null if they were not asked for: there may be thousands. */
  members: { id: string; name: string }[] | null;
}

const membersWith = (condition: Sql): Sql =>
  sql`exists (select from provider_group_members m where m.provider_group_id = p.id and ${condition})`;
const MEMBERS = {
  kind: 'set',
  holds: (id: Sql) => membersWith(sql`m.user_id = ${id}`),
  any: membersWith(sql`true`),
} as const;
const ATTRIBUTES: Attributes = new Map<string, Attribute>([
  ['id', { column: sql`p.id::text`, kind: 'exact' }],
  ['externalid', { column: sql`p.external_id`, kind: 'exact' }],
  ['displayname', { column: sql`p.display_name`, kind: 'text' }],
  ['members', MEMBERS],
  ['members.value', MEMBERS],
]);

const SIZE = sql`(select count(*) from provider_group_members m where m.provider_group_id = p.id)`;

const columns = (withMembers: boolean) => sql`
  p.id, p.display_name as "displayName", p.external_id as "externalId", p.created_at as "createdAt",
  ${
    withMembers
      ? sql`(select coalesce(jsonb_agg(jsonb_build_object('id', u.id::text, 'name', u.first_name || ' ' || u.last_name) order by u.id), '[]')
          from provider_group_members m join users u on u.id = m.user_id where m.provider_group_id = p.id)`
      : sql`null`
  } as members`;

/** The members in a page of groups, if it has more than one: a page of 200 large groups would have a million. */
export const MOST_MEMBERS_PAGED = 10_000;

/** Returns fewer than `limit` groups, at least one, if they would have too many members (RFC 7644, 3.4.2.4). */
export async function findGroups(
  db: Queryable,
  { connectionId }: Provider,
  page: { filter: Filter | null; offset: number; limit: number; withMembers: boolean },
): Promise<{ rows: GroupRow[]; total: number }> {
  const { filter, offset, limit, withMembers } = page;
  const where = sql`p.connection_id = ${connectionId} and ${filter === null ? sql`true` : conditionOf(filter, ATTRIBUTES)}`;
  const { rows: counted } = await db.query<{ total: number }>(
    sql`select count(*)::int as total from provider_groups p where ${where}`,
  );
  const onPage = sql`select p.id, ${withMembers ? SIZE : sql`0`} as size from provider_groups p where ${where} order by p.id limit ${limit} offset ${offset}`;
  const select = sql`
    select ${columns(withMembers)} from provider_groups p where p.id in (
      select id from (
        select id, row_number() over (order by id) as place, sum(size) over (order by id) as members from (${onPage}) sized) counted
      where place = 1 or members <= ${MOST_MEMBERS_PAGED})
    order by p.id`;
  const rows = limit > 0 ? (await db.query<GroupRow>(select)).rows : [];
  return { rows, total: counted[0]?.total ?? 0 };
}

export async function countGroups(db: Queryable, { connectionId }: Provider): Promise<number> {
  const { rowCount } = await db.query(sql`select from provider_groups where connection_id = ${connectionId}`);
  return rowCount;
}

export async function findGroup(
  db: Queryable,
  { connectionId }: Provider,
  id: string,
  { withMembers }: { withMembers: boolean },
): Promise<GroupRow | null> {
  const { rows } = await db.query<GroupRow>(sql`
    select ${columns(withMembers)} from provider_groups p where p.id::text = ${id} and p.connection_id = ${connectionId}`);
  return rows[0] ?? null;
}

interface GroupNames {
  displayName: string;
  externalId: string | null;
}

export async function insertGroup(
  db: Queryable,
  { connectionId }: Provider,
  { displayName, externalId }: GroupNames,
  now: Date,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(sql`
    insert into provider_groups (connection_id, display_name, external_id, created_at)
    values (${connectionId}, ${displayName}, ${externalId}, ${now}) returning id`);
  return rows[0]?.id ?? '';
}

export async function updateGroup(db: Queryable, id: string, { displayName, externalId }: GroupNames): Promise<void> {
  await db.query(
    sql`update provider_groups set display_name = ${displayName}, external_id = ${externalId} where id = ${id}`,
  );
}

/** Ids of users who came or went. */
export interface MemberChange {
  added: string[];
  removed: string[];
}

/** Makes these the only members. */
export async function setMembers(db: Queryable, id: string, userIds: Iterable<string>): Promise<MemberChange> {
  const ids = [...userIds];
  const { rows } = await db.query<{ id: string }>(sql`
    delete from provider_group_members where provider_group_id = ${id} and user_id <> all (${ids}::bigint[])
    returning user_id as id`);
  return { added: await addMembers(db, id, ids), removed: rows.map((row) => row.id) };
}

/** Returns who was none. */
export async function addMembers(db: Queryable, id: string, userIds: Iterable<string>): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    insert into provider_group_members (provider_group_id, user_id)
    select ${id}::bigint, unnest(${[...userIds]}::bigint[]) on conflict do nothing returning user_id as id`);
  return rows.map((row) => row.id);
}

/** Returns who was one. */
export async function removeMembers(db: Queryable, id: string, userIds: Iterable<string>): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    delete from provider_group_members where provider_group_id = ${id} and user_id::text = any (${[...userIds]}::text[])
    returning user_id as id`);
  return rows.map((row) => row.id);
}

export async function deleteGroup(db: Queryable, id: string): Promise<void> {
  await db.query(sql`delete from provider_groups where id = ${id}`);
}
