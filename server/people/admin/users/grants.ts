import { isDeepStrictEqual } from 'node:util';
import type { Grant } from '#contract/admin.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkCovers, type Scope } from '../admin-scope.ts';
import { findGrantable } from './queries.ts';

const keyOf = ({ teamId, groupId }: Grant): string => `${teamId} ${groupId}`;

/** In one form, so that the same grant written in another order is the same grant. */
const normalised = (grant: Grant): Grant => ({
  ...grant,
  added: [...new Set(grant.added)].sort(),
  removed: [...new Set(grant.removed)].sort(),
});

/** The grants that one list has and the other has not, or has otherwise; from both. */
export function changedGrants(before: readonly Grant[], after: readonly Grant[]): Grant[] {
  const notIn = (grants: readonly Grant[], others: readonly Grant[]) => {
    const known = new Map(others.map((grant) => [keyOf(grant), normalised(grant)]));
    return grants.filter((grant) => !isDeepStrictEqual(normalised(grant), known.get(keyOf(grant))));
  };
  return [...notIn(before, after), ...notIn(after, before)];
}

/**
 * Checks that the administrator may change what a user of the organisation holds from `before` to `after`. Throws NOT_PERMITTED where
 * a change concerns a group that is not his or hers to manage, NOT_FOUND where a team, group or role is none of the organisation's,
 * BAD_REQUEST where a pair is there twice.
 */
export async function checkGrants(
  db: Queryable,
  scope: Scope,
  organizationId: string,
  { before, after }: { before: readonly Grant[]; after: readonly Grant[] },
): Promise<void> {
  if (new Set(after.map(keyOf)).size < after.length) {
    throw new ApiError('BAD_REQUEST', { fields: { grants: 'A team and group can be granted once.' } });
  }
  if ((await findGrantable(db, organizationId, after)) < after.length) throw new ApiError('NOT_FOUND');
  checkCovers(
    scope,
    changedGrants(before, after).map(({ groupId }) => groupId),
  );
}
