/** The SQL of saved filters. It runs within `asOwner`, under row-level security by user. */
import type { SearchModule, SearchPreference } from '#contract/saved-filters.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { StoredParameters } from './stored.ts';

/** The owner of a list of filters: a user in a team. */
export interface Owner {
  readonly userId: string;
  readonly teamId: string;
}

export interface FilterRow {
  id: string;
  name: string;
  orderNum: number;
  /** As stored; `readStored` parses them. */
  parameters: unknown;
  isShared: boolean;
  isOwn: boolean;
  /** Of a shared filter; null for one that isn't. */
  ownerName: string | null;
  isOwnerOnTeam: boolean | null;
}

const isOf = ({ userId, teamId }: Owner): Sql => sql`f.user_id = ${userId} and f.team_id = ${teamId}`;
const COLUMNS = sql`f.id, f.name, f.order_num as "orderNum", f.parameters, f.shared_at is not null as "isShared",
  f.user_id = acting_user() as "isOwn", o.name as "ownerName", o.is_on_team as "isOwnerOnTeam"`;
const FROM = sql`saved_filters f left join owners_of_shared_filters() o on o.filter_id = f.id`;

/** The user's own filters, and those that the team shares. */
const isVisibleTo = ({ userId, teamId }: Owner): Sql =>
  sql`f.team_id = ${teamId} and (f.user_id = ${userId} or f.shared_at is not null)`;

/** Serializes changes of one list until the transaction ends, so that each sees the order that the previous change left. */
export async function lockList(tx: Queryable, { userId, teamId }: Owner): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`saved filters ${userId} ${teamId}`}, 0))`);
}

/** Returns the user's own filters in their order, then those of colleagues by name, numbered on. */
export async function listFilters(tx: Queryable, owner: Owner): Promise<FilterRow[]> {
  const { rows } = await tx.query<FilterRow>(sql`
    select ${COLUMNS} from ${FROM} where ${isVisibleTo(owner)}
    order by f.user_id <> ${owner.userId}, case when f.user_id = ${owner.userId} then f.order_num end, lower(f.name), f.id`);
  return rows.map((row, index) => (row.isOwn ? row : { ...row, orderNum: index + 1 }));
}

/** Returns one of `listFilters`; null if there is none. */
export async function findFilter(tx: Queryable, owner: Owner, id: string): Promise<FilterRow | null> {
  const { rows } = await tx.query<FilterRow>(
    sql`select ${COLUMNS} from ${FROM} where ${isVisibleTo(owner)} and f.id = ${id}`,
  );
  const [row] = rows;
  if (row === undefined || row.isOwn) return row ?? null;
  return (await listFilters(tx, owner)).find((each) => each.id === id) ?? null;
}

/** Shares the user's filter since a time, or stops sharing it (null). Returns false if it is as wanted. */
export async function setShared(tx: Queryable, owner: Owner, id: string, since: Date | null): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update saved_filters f set shared_at = ${since} where ${isOf(owner)} and f.id = ${id} and (f.shared_at is null) = ${since !== null}`);
  return rowCount > 0;
}

/** Deletes a colleague's shared filter, which the caller may. A trigger closes the gap in the owner's order. */
export async function deleteShared(tx: Queryable, { teamId }: Owner, id: string): Promise<void> {
  await tx.query(
    sql`delete from saved_filters f where f.id = ${id} and f.team_id = ${teamId} and f.shared_at is not null`,
  );
}

/** Returns when the user last used each filter, by id. */
export async function lastUses(tx: Queryable, owner: Owner): Promise<Map<string, string | null>> {
  const { rows } = await tx.query<{ id: string; at: string | null }>(
    sql`select f.id, case when f.user_id = ${owner.userId} then f.last_used_at else u.last_used_at end as at
      from saved_filters f left join shared_filter_uses u on u.filter_id = f.id and u.user_id = ${owner.userId}
      where ${isVisibleTo(owner)}`,
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Returns how many colleagues use each filter that the team shares, by id. */
export async function colleaguesUsing(tx: Queryable): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ id: string; colleagues: number }>(
    sql`select filter_id as id, colleagues from colleagues_using_shared_filters()`,
  );
  return new Map(rows.map(({ id, colleagues }) => [id, colleagues]));
}

/** Records that a filter was used. Returns false if there is no such filter. */
export async function recordUse(tx: Queryable, owner: Owner, id: string, now: Date): Promise<boolean> {
  const own = await tx.query(
    sql`update saved_filters f set last_used_at = ${now} where ${isOf(owner)} and f.id = ${id}`,
  );
  if (own.rowCount > 0) return true;
  const shared = await tx.query(sql`
    insert into shared_filter_uses (filter_id, user_id, last_used_at)
    select f.id, ${owner.userId}, ${now} from saved_filters f where ${isVisibleTo(owner)} and f.id = ${id}
    on conflict (filter_id, user_id) do update set last_used_at = excluded.last_used_at`);
  return shared.rowCount > 0;
}

export async function countFilters(tx: Queryable, owner: Owner): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from saved_filters f where ${isOf(owner)}`,
  );
  return rows[0]?.count ?? 0;
}

export interface FilterContent {
  name: string;
  parameters: StoredParameters;
}

/** Inserts a filter at a position, at most after the last, and moves later filters down by one. Returns its id. */
export async function insertFilter(
  tx: Queryable,
  owner: Owner,
  { name, parameters, orderNum }: FilterContent & { orderNum: number },
  now: Date,
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(sql`
    with place as (
      select least(${orderNum}::int, count(*)::int + 1) as order_num from saved_filters f where ${isOf(owner)}),
    shifted as (
      update saved_filters f set order_num = f.order_num + 1 from place
      where ${isOf(owner)} and f.order_num >= place.order_num)
    insert into saved_filters (user_id, team_id, name, order_num, parameters, created_at, updated_at)
    select ${owner.userId}, ${owner.teamId}, ${name}, place.order_num, ${JSON.stringify(parameters)}, ${now}, ${now}
    from place
    returning id`);
  return rows[0]?.id ?? '';
}

export async function updateFilter(tx: Queryable, id: string, { name, parameters }: FilterContent, now: Date) {
  await tx.query(sql`
    update saved_filters set name = ${name}, parameters = ${JSON.stringify(parameters)}, updated_at = ${now}
    where id = ${id}`);
}

/** Moves a filter to a position, at most the last. Filters between the old and the new position shift by one. */
export async function moveFilter(tx: Queryable, owner: Owner, id: string, orderNum: number): Promise<void> {
  await tx.query(sql`
    with move as (
      select m.id, m.order_num as source,
        least(${orderNum}::int, (select count(*)::int from saved_filters f where ${isOf(owner)})) as target
      from saved_filters m where m.id = ${id})
    update saved_filters f set order_num = case
        when f.id = move.id then move.target
        when move.source < move.target then f.order_num - 1
        else f.order_num + 1
      end
    from move
    where ${isOf(owner)} and f.order_num between least(move.source, move.target) and greatest(move.source, move.target)`);
}

/** Deletes a filter and the preferences for it; later filters move up by one. Returns false if there is no such filter. */
export async function deleteFilter(tx: Queryable, owner: Owner, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(sql`
    with gone as (delete from saved_filters f where ${isOf(owner)} and f.id = ${id} returning f.order_num),
    shifted as (
      update saved_filters f set order_num = f.order_num - 1 from gone
      where ${isOf(owner)} and f.order_num > gone.order_num)
    select exists (select from gone) as found`);
  return rows[0]?.found ?? false;
}

export async function listPreferences(tx: Queryable, { userId, teamId }: Owner): Promise<SearchPreference[]> {
  const { rows } = await tx.query<SearchPreference>(sql`
    select module_name as "moduleName", filter_id as "filterId" from search_preferences
    where user_id = ${userId} and team_id = ${teamId} order by module_name`);
  return rows;
}

export async function setPreference(tx: Queryable, owner: Owner, { moduleName, filterId }: SearchPreference) {
  await tx.query(sql`
    insert into search_preferences (user_id, team_id, module_name, filter_id)
    values (${owner.userId}, ${owner.teamId}, ${moduleName}, ${filterId})
    on conflict (user_id, team_id, module_name) do update set filter_id = excluded.filter_id`);
}

export async function clearPreference(tx: Queryable, { userId, teamId }: Owner, moduleName: SearchModule) {
  await tx.query(sql`
    delete from search_preferences
    where user_id = ${userId} and team_id = ${teamId} and module_name = ${moduleName}`);
}
