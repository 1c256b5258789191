/**
 * Ends what nobody needs any more, and opens a group again. Rows stay, with the time (docs/decisions/0021): what was done under them keeps its meaning; they are
 * offered and listed no longer, and their names are free. Errors of all: NOT_FOUND, NOT_PERMITTED, LAST_ADMINISTRATOR, and
 * STILL_NEEDED with what stands in the way.
 */
import type { AdminGroup, EndedGroup } from '#contract/admin.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkCovers, type Scope } from '../admin-scope.ts';
import { type AdminDeps, administer, type Deed, orTaken, tellRightsChanged } from '../administer.ts';
import { areAllGroups } from '../connections/queries.ts';
import * as queries from '../queries.ts';
import * as ends from './end-queries.ts';

/** At least one group of the team must be the administrator's to manage. */
export function endTeam({ db }: AdminDeps, deed: Deed, id: string): Promise<void> {
  return administer(db, deed, async ({ tx, scope, now, audit }) => {
    const { groupIds } = await queries.findTeam(tx, scope, id);
    if (!scope.isOperator && !groupIds.some((groupId) => scope.groupIds.has(groupId)))
      throw new ApiError('NOT_PERMITTED');
    refuse('team', [many(await ends.countHolders(tx, { teamId: id }), 'person is in it', 'people are in it')]);
    await ends.endTeam(tx, id, now);
    await audit({ action: 'team.end', subject: 'team', subjectId: id, detail: { groupIds } });
  });
}

/** The administrator's own access for the group goes with it; that of others has to be taken away before. */
export function endGroup({ db }: AdminDeps, deed: Deed, id: string): Promise<void> {
  return administer(db, deed, async (change) => {
    const { tx, scope, now, audit } = change;
    await queries.findGroup(tx, scope, id);
    checkCovers(scope, [id]);
    if (scope.groupIds.has(id) && scope.groupIds.size === 1) {
      throw new ApiError('NOT_PERMITTED', {
        message: 'This is the only group that you manage: you would manage none.',
      });
    }
    const { listed, openPings, openStays, feeds, uploads, people, teams } = await ends.needsOfGroup(
      tx,
      id,
      scope.userId,
    );
    refuse('group', [
      many(listed, 'patient is listed', 'patients are listed'),
      many(openPings, 'ping is open', 'pings are open'),
      many(openStays, 'stay is open', 'stays are open'),
      many(feeds, 'feed names it', 'feeds name it'),
      many(uploads, 'roster upload is running', 'roster uploads are running'),
      many(people, 'other person has access for it', 'other people have access for it'),
      ...teams.map((name) => `the team ${name} works for no other group`),
    ]);
    const left = await ends.endGroup(tx, id, { userId: scope.userId, now });
    scope.groupIds.delete(id);
    await tellRightsChanged(change, [scope.userId]);
    for (const teamId of left)
      await audit({ action: 'team.change', subject: 'team', subjectId: teamId, detail: { added: [], removed: [id] } });
    await audit({ action: 'group.end', subject: 'group', subjectId: id, detail: { teamIds: left } });
  });
}

/**
 * The groups of the organisation that have ended, for who may open them again: that opens what they were told before, which is for those
 * alone who manage all groups of the organisation.
 */
export async function listEndedGroups(db: Queryable, scope: Scope): Promise<EndedGroup[]> {
  return (await managesAll(db, scope)) ? ends.findEndedGroups(db, scope.organizationId) : [];
}

/** The group as it was, in the team that the administrator has selected, with access for him or her alone. */
export function reopenGroup({ db }: AdminDeps, deed: Deed, id: string): Promise<AdminGroup> {
  return administer(db, deed, async (change) => {
    const { tx, scope, audit } = change;
    const { userId, teamId } = deed.actor;
    const hasEnded = (await ends.findEndedGroups(tx, scope.organizationId)).some((ended) => ended.id === id);
    if (!hasEnded) throw new ApiError('NOT_FOUND');
    if (!(await managesAll(tx, scope))) {
      const message = 'Whoever opens a group again must manage the users of all groups of the organisation.';
      throw new ApiError('NOT_PERMITTED', { message });
    }
    const message = 'Another group has this name by now. Give that one another name first.';
    await orTaken('NAME_TAKEN', ends.reopenGroup(tx, id), { message });
    await queries.adoptGroup(tx, id, userId, teamId);
    await tellRightsChanged(change, [userId]);
    await audit({ action: 'group.reopen', subject: 'group', subjectId: id, detail: { teamId } });
    return queries.findGroup(tx, scope, id);
  });
}

const managesAll = async (db: Queryable, { isOperator, organizationId, groupIds }: Scope): Promise<boolean> =>
  isOperator || areAllGroups(db, organizationId, groupIds);

/** Only a role of the organisation, and one that nobody holds. */
export function endRole({ db }: AdminDeps, deed: Deed, id: string): Promise<void> {
  return administer(db, deed, async ({ tx, scope, now, audit }) => {
    const { isStandard } = await queries.findRole(tx, scope, id);
    if (isStandard) throw new ApiError('NOT_PERMITTED', { message: 'The standard roles cannot be removed.' });
    refuse('role', [many(await ends.countHolders(tx, { roleId: id }), 'person holds it', 'people hold it')]);
    await ends.endRole(tx, id, now);
    await audit({ action: 'role.end', subject: 'role', subjectId: id });
  });
}

const many = (count: number, one: string, several: string): string | null =>
  count === 0 ? null : count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${several}`;

function refuse(what: 'team' | 'group' | 'role', reasons: readonly (string | null)[]): void {
  const standing = reasons.filter((reason) => reason !== null);
  if (standing.length === 0) return;
  throw new ApiError('STILL_NEEDED', { message: `This ${what} is still needed: ${standing.join('; ')}.` });
}
