import type { Grant } from '#contract/admin.ts';
import { mailWaitingAccess } from '../admin-mails.ts';
import type { AdminDeps, Change } from '../administer.ts';
import { flagsIn, gained, heldBy, placeOf } from '../held-flags.ts';
import { insertPending } from './queries.ts';

/**
 * Splits the grants that administrators want for themselves. `direct` can be stored at once: it gives nothing that they don't hold.
 * `asked` gives more, so another administrator has to confirm it; in `direct` these places are as they were.
 */
export async function splitOwnGrants(
  { tx, scope }: Change,
  before: readonly Grant[],
  wanted: readonly Grant[],
): Promise<{ direct: Grant[]; asked: Grant[] }> {
  const [held, would] = [await heldBy(tx, scope.userId), await flagsIn(tx, wanted)];
  const asked = wanted.filter((grant) => gained(held, would, placeOf(grant)).length > 0);
  const places = new Set(asked.map(placeOf));
  const kept = before.filter((grant) => places.has(placeOf(grant)));
  return { direct: [...wanted.filter((grant) => !asked.includes(grant)), ...kept], asked };
}

/** Stores what administrators ask for themselves until someone else decides, and mails those who can. */
export async function askAccess(
  { publicUrl }: Pick<AdminDeps, 'publicUrl'>,
  { tx, scope, now, audit }: Change,
  grants: readonly Grant[],
): Promise<void> {
  const { userId } = scope;
  for (const grant of grants) {
    await insertPending(tx, userId, grant, now);
    await mailWaitingAccess(tx, { groupId: grant.groupId, userId, publicUrl }, now);
  }
  if (grants.length > 0) {
    await audit({ action: 'user.ask-access', subject: 'user', subjectId: userId, detail: { grants } });
  }
}
