import { letsManage } from '#server/people/access/actor.ts';
import { keepOldPassword } from '#server/people/accounts/passwords/set-password.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { withPurpose } from '#server/platform/database/with-purpose.ts';
import type { Filter } from './filter.ts';
import { type Attribute, type Attributes, conditionOf } from './filter-sql.ts';
import type { UserState } from './patch.ts';
import type { Provider } from './provision.ts';

/** An account of a connection. */
export interface UserRow extends UserState {
  id: string;
  createdAt: string;
  /** Whether its owner has set a password or signed in. */
  isActivated: boolean;
  managesUsers: boolean;
  groups: { id: string; displayName: string }[];
}

/** SQL: the email domain of `users u`. */
const domainOf = (address: Sql): Sql => sql`substring(${address} from '[^@]*$')`;

/** SQL: the domain is one that was verified for the provider's connection. */
const isVerified = ({ connectionId }: Provider, domain: Sql): Sql => sql`exists (
  select from sso_connections c join email_domains d on d.organization_id = c.organization_id and d.domain = any (c.domains)
  where c.id = ${connectionId} and d.verified_at is not null and d.domain = ${domain})`;

/**
 * SQL: the provider manages the account in `users u`: it is linked to the connection, or has an address in one of its verified domains and
 * is linked to none. Never an operator's.
 */
const isManaged = (provider: Provider): Sql => sql`(
  u.organization_id = ${provider.organizationId} and not u.is_operator and u.deprovisioned_at is null
  and (u.sso_connection_id = ${provider.connectionId}
    or (u.sso_connection_id is null and ${isVerified(provider, domainOf(sql`u.username`))})))`;

const COLUMNS = sql`
  u.id, u.username as "userName", u.external_id as "externalId", u.first_name as "givenName", u.last_name as "familyName",
  u.title, u.disabled_at is null as active, u.created_at as "createdAt", u.activated_at is not null as "isActivated",
  exists (select from grants n join roles r on r.id = n.role_id where n.user_id = u.id and ${letsManage}) as "managesUsers",
  (select coalesce(jsonb_agg(jsonb_build_object('id', p.id::text, 'displayName', p.display_name) order by p.id), '[]')
    from provider_group_members m join provider_groups p on p.id = m.provider_group_id where m.user_id = u.id) as groups`;

const FULL_NAME = sql`u.first_name || ' ' || u.last_name`;
const groupsWith = (condition: Sql): Sql =>
  sql`exists (select from provider_group_members m where m.user_id = u.id and ${condition})`;
const GROUPS = {
  kind: 'set',
  holds: (id: Sql) => groupsWith(sql`m.provider_group_id = ${id}`),
  any: groupsWith(sql`true`),
} as const;
const ATTRIBUTES: Attributes = new Map<string, Attribute>([
  ['id', { column: sql`u.id::text`, kind: 'exact' }],
  ['externalid', { column: sql`u.external_id`, kind: 'exact' }],
  ['username', { column: sql`u.username`, kind: 'text' }],
  ['emails', { column: sql`u.username`, kind: 'text' }],
  ['emails.value', { column: sql`u.username`, kind: 'text' }],
  ['emails.type', { column: sql`'work'`, kind: 'text' }],
  ['emails.primary', { column: sql`true`, kind: 'truth' }],
  ['name.givenname', { column: sql`u.first_name`, kind: 'text' }],
  ['name.familyname', { column: sql`u.last_name`, kind: 'text' }],
  ['name.formatted', { column: FULL_NAME, kind: 'text' }],
  ['displayname', { column: FULL_NAME, kind: 'text' }],
  ['title', { column: sql`u.title`, kind: 'text' }],
  ['active', { column: sql`(u.disabled_at is null)`, kind: 'truth' }],
  ['groups', GROUPS],
  ['groups.value', GROUPS],
]);

/** Returns some of the accounts, by id, and how many match. */
export async function findUsers(
  db: Queryable,
  provider: Provider,
  { filter, offset, limit }: { filter: Filter | null; offset: number; limit: number },
): Promise<{ rows: UserRow[]; total: number }> {
  const where = sql`${isManaged(provider)} and ${filter === null ? sql`true` : conditionOf(filter, ATTRIBUTES)}`;
  const { rows: counted } = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users u where ${where}`,
  );
  const page = sql`select ${COLUMNS} from users u where ${where} order by u.id limit ${limit} offset ${offset}`;
  const rows = limit > 0 ? (await db.query<UserRow>(page)).rows : [];
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Returns null for an account that the provider does not manage. */
export async function findUser(db: Queryable, provider: Provider, id: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(
    sql`select ${COLUMNS} from users u where u.id::text = ${id} and ${isManaged(provider)}`,
  );
  return rows[0] ?? null;
}

/** Returns which of these are ids of accounts that the provider manages. */
export async function managedIds(db: Queryable, provider: Provider, ids: Iterable<string>): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    sql`select u.id from users u where u.id::text = any (${[...ids]}::text[]) and ${isManaged(provider)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

export async function isVerifiedAddress(db: Queryable, provider: Provider, address: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select where ${isVerified(provider, domainOf(sql`${address}::text`))}`);
  return rowCount > 0;
}

/** Returns the account with this username that the provider deleted, and that is still the connection's. */
export async function findDeleted(db: Queryable, provider: Provider, userName: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(sql`
    select u.id from users u
    where u.username = ${userName} and u.organization_id = ${provider.organizationId} and u.deprovisioned_at is not null
      and not u.is_operator and (u.sso_connection_id is null or u.sso_connection_id = ${provider.connectionId})`);
  return rows[0]?.id ?? null;
}

export async function bringBack(db: Queryable, id: string): Promise<void> {
  await db.query(sql`update users set deprovisioned_at = null where id = ${id}`);
}

/** Without a password, an account of a connection is opened by the connection only, also not by a passkey or a mailed link. */
export async function removePassword(db: Queryable, id: string, now: Date): Promise<void> {
  await withPurpose(db, 'sign-in', () => keepOldPassword(db, id, now));
  await db.query(sql`update users set password_hash = null, password_changed_at = null where id = ${id}`);
}

/** The account can be opened by the connection only, from its first sign-in on. */
export async function giveToConnection(db: Queryable, { connectionId }: Provider, id: string): Promise<void> {
  await db.query(sql`
    update users set sso_connection_id = ${connectionId},
      application_experience = (select application_experience from sso_connections where id = ${connectionId})
    where id = ${id}`);
}

export async function updateUser(db: Queryable, id: string, state: Omit<UserState, 'userName'>): Promise<void> {
  await db.query(sql`
    update users set external_id = ${state.externalId}, first_name = ${state.givenName}, last_name = ${state.familyName},
      title = ${state.title}
    where id = ${id}`);
}

/** The address has to be in a verified domain of the connection. */
export async function rename(db: Queryable, { connectionId }: Provider, id: string, userName: string): Promise<void> {
  await db.query(sql`select rename_user_of_connection(${connectionId}, ${id}, ${userName})`);
}

/** Takes all access, also what administrators gave. */
export async function dropAccess(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(sql`delete from provider_group_members where user_id = ${id}`);
  await db.query(sql`delete from grants where user_id = ${id}`);
  await db.query(sql`update users set deprovisioned_at = ${now} where id = ${id}`);
}
