/** What a group's own headers mean in its roster files. Its uploads are read by it, and its template has these headers. */
import type { RosterColumn, RosterTarget } from '#contract/roster-columns.ts';
import { MOST_MAPPED_HEADERS } from '#contract/roster-limits.ts';
import type { RosterHeaders, RosterMapping } from '#contract/rosters.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { type HeaderMapping, headerKey } from './headers.ts';

/** Returns what a group's headers mean, in the order in which they were set. */
export async function groupHeaders(tx: Queryable, groupId: string): Promise<RosterHeaders> {
  const { rows } = await tx.query<RosterHeaders[number]>(sql`
    select header, column_name as column, username, coalesce(changed_by_name, username) as name, changed_at as "changedAt"
    from roster_headers where group_id = ${groupId} order by changed_at, header_key`);
  return rows;
}

/** Returns the same for reading a file. */
export async function mappingOf(tx: Queryable, groupId: string): Promise<HeaderMapping> {
  const headers = await groupHeaders(tx, groupId);
  return new Map(headers.map(({ header, column }) => [headerKey(header), column]));
}

/** Returns the group's header for each column that has one, for its template: the one that was set last. */
export async function ownHeaders(tx: Queryable, groupId: string): Promise<ReadonlyMap<RosterTarget, string>> {
  const headers = await groupHeaders(tx, groupId);
  return new Map(headers.flatMap(({ header, column }) => (column === null ? [] : [[column as RosterColumn, header]])));
}

/** Sets what headers mean. Errors: BAD_REQUEST for headers without letters or digits, for two that are the same, and for too many. */
export async function setHeaders(
  tx: ActorTransaction,
  groupId: string,
  mapping: RosterMapping,
  now: Date,
): Promise<void> {
  const keys = mapping.map(({ header }) => headerKey(header));
  if (keys.includes('') || new Set(keys).size < keys.length) {
    throw new ApiError('BAD_REQUEST', {
      fields: { headers: 'Name each header once. A header needs at least one letter or digit.' },
    });
  }
  await tx.query(sql`
    insert into roster_headers (group_id, header_key, header, column_name, username, changed_by_name, changed_at)
    select ${groupId}, h.header_key, h.header, h.column_name, ${tx.actor.username}, ${tx.actor.displayName}, ${now}
    from unnest(${keys}::text[], ${mapping.map(({ header }) => header.trim())}::text[],
      ${mapping.map(({ column }) => column)}::text[]) as h (header_key, header, column_name)
    on conflict (group_id, header_key) do update
      set header = excluded.header, column_name = excluded.column_name, username = excluded.username,
        changed_by_name = excluded.changed_by_name, changed_at = excluded.changed_at`);
  const { rowCount } = await tx.query(sql`select from roster_headers where group_id = ${groupId}`);
  if (rowCount > MOST_MAPPED_HEADERS) {
    throw new ApiError('BAD_REQUEST', {
      fields: { headers: `A group can keep ${MOST_MAPPED_HEADERS} headers. Forget the ones it has, then try again.` },
    });
  }
}

/** Forgets what a group's headers mean. */
export const forgetHeaders = (tx: Queryable, groupId: string) =>
  tx.query(sql`delete from roster_headers where group_id = ${groupId}`);
