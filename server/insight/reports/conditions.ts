/** Conditions that the reports share. */
import { namedLike } from '#server/people/admin/paged.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';

/** SQL: the order of a sort. What is not known comes last either way. */
export const direction = (order: 'asc' | 'desc'): Sql =>
  order === 'desc' ? sql`desc nulls last` : sql`asc nulls last`;

/** SQL: the text is in the name or the username of `users u`. */
export const namedOrMailed = (filters: { query?: string | undefined }): Sql =>
  sql`(${namedLike(sql`u.username`, filters)} or ${namedLike(sql`u.first_name || ' ' || u.last_name`, filters)}
    or ${namedLike(sql`u.last_name || ', ' || u.first_name`, filters)})`;

export interface GrantFilters {
  ofTeamId?: string | undefined;
  groupId?: string | undefined;
  roleId?: string | undefined;
}

/** SQL: the conditions on one of the `grants n`. */
export const grantConditions = ({ ofTeamId, groupId, roleId }: GrantFilters): Sql[] => [
  ...(ofTeamId === undefined ? [] : [sql`n.team_id = ${ofTeamId}`]),
  ...(groupId === undefined ? [] : [sql`n.group_id = ${groupId}`]),
  ...(roleId === undefined ? [] : [sql`n.role_id = ${roleId}`]),
];

/** SQL: one grant of `users u` meets all the conditions. */
export function grantedWhere(filters: GrantFilters): Sql {
  const conditions = grantConditions(filters);
  if (conditions.length === 0) return sql`true`;
  return sql`exists (select from grants n where n.user_id = u.id and ${join(conditions, ' and ')})`;
}
