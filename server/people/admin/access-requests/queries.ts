import type { AccessRequest } from '#contract/admin.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { organizationFor, type Scope } from '../admin-scope.ts';

/**
 * Requests that wait for one group: in all, of people whose email addresses have the same domain, and from one network address. Strangers can fill
 * the queue, and must not keep others out by it; a clinic's own people share a domain, and often an address.
 */
const MOST_WAITING = { ofGroup: 500, ofDomain: 100, ofAddress: 20 };
/** Groups that one person waits for. */
const MAX_PENDING_PER_PERSON = 5;

export interface Registration {
  username: string;
  firstName: string;
  lastName: string;
  title?: string | null | undefined;
  groupId: string;
  /** The network address that it comes from. */
  address: string;
}

export interface JoinableGroup {
  id: string;
  name: string;
  organizationId: string;
}

/** Returns up to 20 groups that a team works for and whose name has a word that begins with `query`. */
export async function findGroupsToJoin(db: Queryable, query: string) {
  const beginning = `${query.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await db.query<{ id: string; name: string; organizationName: string }>(sql`
    select g.id, g.name, o.name as "organizationName"
    from groups g join organizations o on o.id = g.organization_id
    where (g.name ilike ${beginning} or g.name ilike ${`% ${beginning}`})
      and exists (select from team_groups tg where tg.group_id = g.id)
    order by g.name, g.id limit 20`);
  return rows;
}

export async function findJoinableGroup(db: Queryable, id: string): Promise<JoinableGroup | null> {
  const { rows } = await db.query<JoinableGroup>(sql`
    select g.id, g.name, g.organization_id as "organizationId"
    from groups g where g.id = ${id} and exists (select from team_groups tg where tg.group_id = g.id)`);
  return rows[0] ?? null;
}

/** Returns which limit leaves no room for another request; null if there is room. The caller has locked the group's requests. */
export async function limitReached(
  db: Queryable,
  { username, groupId, address }: Pick<Registration, 'username' | 'groupId' | 'address'>,
): Promise<keyof typeof MOST_WAITING | null> {
  const { rows } = await db.query<Record<keyof typeof MOST_WAITING, number>>(sql`
    select count(*)::int as "ofGroup", count(*) filter (where split_part(username, '@', 2) = split_part(${username}, '@', 2))::int as "ofDomain",
      count(*) filter (where asked_from = ${address})::int as "ofAddress"
    from access_requests where group_id = ${groupId} and decided_at is null`);
  const [waiting] = rows;
  const limits = ['ofAddress', 'ofDomain', 'ofGroup'] as const;
  return limits.find((limit) => (waiting?.[limit] ?? 0) >= MOST_WAITING[limit]) ?? null;
}

/**
 * Returns false if the same request is already pending, or the user has access to the group or waits for five others. The caller has locked the
 * group's requests: each is later than the one before, so that a mail about one is not taken for a mail about the next.
 */
export async function insertRequest(db: Queryable, asked: Registration, now: Date): Promise<boolean> {
  const { username, firstName, lastName, title, groupId, address } = asked;
  const { rowCount } = await db.query(sql`
    insert into access_requests (username, first_name, last_name, title, group_id, asked_from, created_at)
    select ${username}::text, ${firstName}::text, ${lastName}::text, ${title || null}::text, ${groupId}::bigint, ${address}::text,
      greatest(${now}::timestamptz, (
        select max(created_at) + interval '1 millisecond' from access_requests where group_id = ${groupId} and decided_at is null))
    where not exists (
        select from grants n join users u on u.id = n.user_id
        where u.username = ${username} and n.group_id = ${groupId} and u.disabled_at is null)
      and (select count(*) from access_requests where username = ${username} and decided_at is null) < ${MAX_PENDING_PER_PERSON}
    on conflict (username, group_id) where decided_at is null do nothing`);
  return rowCount > 0;
}

export interface RequestRow extends AccessRequest {
  organizationId: string;
}

const pending = (scope: Scope): Sql => sql`
  select a.id, a.username, a.first_name as "firstName", a.last_name as "lastName", a.title, a.group_id as "groupId",
    g.name as "groupName", g.organization_id as "organizationId", a.created_at as "createdDate",
    ${organizationFor(scope, sql`g.organization_id`)} as organization
  from access_requests a join groups g on g.id = a.group_id
  where a.decided_at is null`;

export const findPendingRequests = async (db: Queryable, scope: Scope): Promise<RequestRow[]> =>
  (await db.query<RequestRow>(sql`${pending(scope)} order by a.id`)).rows;

export async function findRequest(
  db: Queryable,
  scope: Scope,
  { username, groupId }: { username: string; groupId: string },
): Promise<RequestRow | null> {
  const { rows } = await db.query<RequestRow>(
    sql`${pending(scope)} and a.username = ${username} and a.group_id = ${groupId}`,
  );
  return rows[0] ?? null;
}

export async function isPending(db: Queryable, { username, groupId }: { username: string; groupId: string }) {
  const { rowCount } = await db.query(sql`
    select from access_requests where username = ${username} and group_id = ${groupId} and decided_at is null`);
  return rowCount > 0;
}

export async function closeRequest(
  db: Queryable,
  id: string,
  { decidedBy, isGranted }: { decidedBy: string; isGranted: boolean },
  now: Date,
): Promise<void> {
  await db.query(sql`
    update access_requests set asked_from = null, decided_at = ${now}, decided_by = ${decidedBy}, is_granted = ${isGranted} where id = ${id}`);
}

export async function findAccountByName(db: Queryable, username: string) {
  const { rows } = await db.query<{ id: string; organizationId: string }>(
    sql`select id, organization_id as "organizationId" from users where username = ${username}`,
  );
  return rows[0] ?? null;
}

/** Returns the preferred team if it works for the group, otherwise the oldest team that does; null if none does. */
export async function teamFor(db: Queryable, groupId: string, preferred: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(sql`
    select team_id as id from team_groups where group_id = ${groupId}
    order by team_id <> ${preferred}, team_id limit 1`);
  return rows[0]?.id ?? null;
}

export async function viewerRole(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    sql`select id from roles where organization_id is null and name = 'viewer'`,
  );
  return rows[0]?.id ?? '';
}
