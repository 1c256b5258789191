import { isDeepStrictEqual } from 'node:util';
import type { Grant } from '#contract/admin.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { checkCovers, type Scope } from '../admin-scope.ts';
import { countGrantable } from './queries.ts';

const keyOf = ({ teamId, groupId }: Grant): string => `${teamId} ${groupId}`;

/** Sorts and dedupes the flags, so that the same grant written in another order compares equal. */
const normalized = (grant: Grant): Grant => ({
  ...grant,
  added: [...new Set(grant.added)].sort(),
  removed: [...new Set(grant.removed)].sort(),
});

/** Returns the grants of either list that the other lacks or has with another role or other flags. */
export function changedGrants(before: readonly Grant[], after: readonly Grant[]): Grant[] {
  const notIn = (grants: readonly Grant[], others: readonly Grant[]) => {
    const known = new Map(others.map((grant) => [keyOf(grant), normalized(grant)]));
    return grants.filter((grant) => !isDeepStrictEqual(normalized(grant), known.get(keyOf(grant))));
  };
  return [...notIn(before, after), ...notIn(after, before)];
}

/**
 * Checks that the administrator may change the grants of a user of the organization from `before` to `after`. Throws NOT_PERMITTED for
 * a change in a group they do not manage, NOT_FOUND for a team, group or role of another organization, BAD_REQUEST if a pair of team and
 * group is listed twice.
 */
export async function checkGrants(
  db: Queryable,
  scope: Scope,
  organizationId: string,
  { before, after }: { before: readonly Grant[]; after: readonly Grant[] },
): Promise<void> {
  if (new Set(after.map(keyOf)).size < after.length) {
    throw badField('grants', 'Each group can be granted only once per team.');
  }
  if ((await countGrantable(db, organizationId, after)) < after.length) throw new ApiError('NOT_FOUND');
  checkCovers(
    scope,
    changedGrants(before, after).map(({ groupId }) => groupId),
  );
}
