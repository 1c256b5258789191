/** Teams of an organization. Errors of all: NOT_FOUND, NOT_PERMITTED, LAST_ADMINISTRATOR; when adding or changing one, NAME_TAKEN. */
import type { AdminTeam, TeamFields } from '#contract/admin.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { createTeam } from '#server/people/accounts/provisioning.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { checkCovers, checkCoversAny } from '../admin-scope.ts';
import { type AdminDeps, administer, publishRightsChanged, rejectDuplicate } from '../administer.ts';
import { followAccess } from '../provisioning/provisioning.ts';
import { organizationOfGroup } from './group-queries.ts';
import { counted, refuseIfNeeded } from './still-needed.ts';
import * as queries from './team-queries.ts';

/** Adds a team to the organization of its groups, all of which the administrator must manage. */
export function addTeam({ db }: AdminDeps, call: ActorCall, team: TeamFields): Promise<AdminTeam> {
  return administer(db, call, async ({ tx, scope, now, audit }) => {
    const groupIds = [...new Set(team.groupIds)];
    const organizationId = scope.isOperator ? await organizationOfGroup(tx, groupIds[0] ?? '') : scope.organizationId;
    await queries.checkGroupsOf(tx, organizationId, groupIds);
    checkCovers(scope, groupIds);
    const id = await rejectDuplicate('NAME_TAKEN', createTeam(tx, { ...team, groupIds, organizationId }, now));
    await audit({ action: 'team.add', subject: 'team', subjectId: id, detail: { groupIds } });
    return queries.findTeam(tx, scope, id);
  });
}

/**
 * Changes a team. The administrator must manage at least one of its groups, and each group that is added or removed. Also throws
 * CHANGED_BY_OTHER if `version` is given and out of date.
 */
export function changeTeam(
  { db }: AdminDeps,
  call: ActorCall,
  id: string,
  wanted: TeamFields & { version?: string | undefined },
): Promise<AdminTeam> {
  return administer(db, call, async (change) => {
    const { tx, scope, audit } = change;
    const before = await queries.findTeam(tx, scope, id);
    await checkVersion(tx, { subject: 'team', id, current: before, read: wanted.version });
    const organizationId = await queries.organizationOfTeam(tx, id);
    await queries.checkGroupsOf(tx, organizationId, wanted.groupIds);
    checkCoversAny(scope, before.groupIds);
    const added = wanted.groupIds.filter((groupId) => !before.groupIds.includes(groupId));
    const removed = before.groupIds.filter((groupId) => !wanted.groupIds.includes(groupId));
    checkCovers(scope, [...added, ...removed]);
    await rejectDuplicate('NAME_TAKEN', queries.updateTeam(tx, id, wanted));
    await publishRightsChanged(change, await queries.removeTeamGroups(tx, id, removed));
    const changes = changedValues(before, wanted, ['name', 'abbreviation', 'type']);
    await audit({ action: 'team.change', subject: 'team', subjectId: id, detail: { changes, added, removed } });
    await followAccess(change, organizationId);
    return queries.findTeam(tx, scope, id);
  });
}

/**
 * Closes a team without members; its row stays (docs/decisions/0021), and its name can be used again. The administrator must manage at
 * least one of its groups. Throws STILL_NEEDED if it has members.
 */
export function closeTeam({ db }: AdminDeps, call: ActorCall, id: string): Promise<void> {
  return administer(db, call, async ({ tx, scope, now, audit }) => {
    const { groupIds } = await queries.findTeam(tx, scope, id);
    checkCoversAny(scope, groupIds);
    const members = await queries.countHolders(tx, { teamId: id });
    refuseIfNeeded('team', [counted(members, 'person is on it', 'people are on it')]);
    await queries.closeTeam(tx, id, now);
    await audit({ action: 'team.end', subject: 'team', subjectId: id, detail: { groupIds } });
  });
}
