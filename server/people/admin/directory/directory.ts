/**
 * Teams, groups and roles of an organisation. Errors of all: NOT_FOUND, NOT_PERMITTED, NAME_TAKEN, LAST_ADMINISTRATOR; of changes
 * CHANGED_BY_OTHER.
 */
import type { AdminGroup, AdminRole, AdminTeam, GroupFields, RoleFields, TeamFields } from '#contract/admin.ts';
import { STANDARD_ROLES } from '#contract/permissions.ts';
import { createGroup, createTeam } from '#server/people/accounts/provisioning.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { isTimeZone } from '#server/platform/calendar/time-zone.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkCovers } from '../admin-scope.ts';
import { type AdminDeps, administer, type Deed, orTaken, tellRightsChanged } from '../administer.ts';
import * as queries from '../queries.ts';

/** What the caller had read, where it says so. */
interface Read {
  version?: string | undefined;
}

/** Its groups must be the administrator's to manage; it is in their organisation. */
export function addTeam({ db }: AdminDeps, deed: Deed, team: TeamFields): Promise<AdminTeam> {
  return administer(db, deed, async ({ tx, scope, now, audit }) => {
    const groupIds = [...new Set(team.groupIds)];
    const organizationId = scope.isOperator
      ? await queries.organizationOfGroup(tx, groupIds[0] ?? '')
      : scope.organizationId;
    await queries.checkGroupsOf(tx, organizationId, groupIds);
    checkCovers(scope, groupIds);
    const id = await orTaken('NAME_TAKEN', createTeam(tx, { ...team, groupIds, organizationId }, now));
    await audit({ action: 'team.add', subject: 'team', subjectId: id, detail: { groupIds } });
    return queries.findTeam(tx, scope, id);
  });
}

/** At least one group of the team must be the administrator's to manage, and each that is added or taken away. */
export function changeTeam({ db }: AdminDeps, deed: Deed, id: string, wanted: TeamFields & Read): Promise<AdminTeam> {
  return administer(db, deed, async (change) => {
    const { tx, scope, audit } = change;
    const team = await queries.findTeam(tx, scope, id);
    await checkVersion(tx, { subject: 'team', id, current: team, read: wanted.version });
    await queries.checkGroupsOf(tx, await queries.organizationOfTeam(tx, id), wanted.groupIds);
    if (!scope.isOperator && !team.groupIds.some((groupId) => scope.groupIds.has(groupId)))
      throw new ApiError('NOT_PERMITTED');
    const added = wanted.groupIds.filter((groupId) => !team.groupIds.includes(groupId));
    const removed = team.groupIds.filter((groupId) => !wanted.groupIds.includes(groupId));
    checkCovers(scope, [...added, ...removed]);
    await orTaken('NAME_TAKEN', queries.updateTeam(tx, id, wanted));
    await tellRightsChanged(change, await queries.removeTeamGroups(tx, id, removed));
    const fields = (['name', 'abbreviation', 'type'] as const).filter((field) => team[field] !== wanted[field]);
    await audit({ action: 'team.change', subject: 'team', subjectId: id, detail: { fields, added, removed } });
    return queries.findTeam(tx, scope, id);
  });
}

/** The new group is its creator's to manage, in the team that he or she has selected. */
export function addGroup({ db }: AdminDeps, deed: Deed, group: GroupFields): Promise<AdminGroup> {
  checkGroupFields(group);
  return administer(db, deed, async (change) => {
    const { tx, scope, now, audit } = change;
    const { userId, teamId } = deed.actor;
    const organizationId = await queries.organizationOfTeam(tx, teamId);
    const id = await orTaken('NAME_TAKEN', createGroup(tx, { ...group, organizationId }, now));
    await queries.adoptGroup(tx, id, userId, teamId);
    await tellRightsChanged(change, [userId]);
    await audit({ action: 'group.add', subject: 'group', subjectId: id, detail: { teamId } });
    return queries.findGroup(tx, scope, id);
  });
}

export function changeGroup(
  { db }: AdminDeps,
  deed: Deed,
  id: string,
  { version, ...wanted }: GroupFields & Read,
): Promise<AdminGroup> {
  checkGroupFields(wanted);
  return administer(db, deed, async ({ tx, scope, audit }) => {
    const before = await queries.findGroup(tx, scope, id);
    await checkVersion(tx, { subject: 'group', id, current: before, read: version });
    checkCovers(scope, [id]);
    if (wanted.type === 'PROGRAM' && before.type !== 'PROGRAM' && (await queries.reportsStays(tx, id))) {
      throw new ApiError('BAD_REQUEST', { fields: { type: 'This group has reported stays, or a feed names it.' } });
    }
    await orTaken('NAME_TAKEN', queries.updateGroup(tx, id, wanted));
    const fields = (Object.keys(wanted) as (keyof GroupFields)[]).filter((name) => before[name] !== wanted[name]);
    await audit({ action: 'group.change', subject: 'group', subjectId: id, detail: { fields } });
    return queries.findGroup(tx, scope, id);
  });
}

function checkGroupFields({ type, facilityType, timeZone }: GroupFields): void {
  const fields: Record<string, string> = {};
  if (!isTimeZone(timeZone)) fields['timeZone'] = 'This is not an IANA time zone.';
  if (type === 'PROGRAM' && facilityType !== null) fields['facilityType'] = 'A program has no facility type.';
  if (type !== 'PROGRAM' && facilityType === null) fields['facilityType'] = 'Choose the type of the facility.';
  if (Object.keys(fields).length > 0) throw new ApiError('BAD_REQUEST', { fields });
}

export function addRole({ db }: AdminDeps, deed: Deed, role: RoleFields): Promise<AdminRole> {
  const fields = checkedRole(role);
  return administer(db, deed, async ({ tx, scope, audit }) => {
    const id = await orTaken('NAME_TAKEN', queries.insertRole(tx, scope.organizationId, fields));
    await audit({ action: 'role.add', subject: 'role', subjectId: id, detail: { permissions: fields.permissions } });
    return queries.findRole(tx, scope, id);
  });
}

/** A change reaches everybody who holds the role: all their groups concerned must be the administrator's to manage. */
export function changeRole({ db }: AdminDeps, deed: Deed, id: string, wanted: RoleFields & Read): Promise<AdminRole> {
  const fields = checkedRole(wanted);
  return administer(db, deed, async (change) => {
    const { tx, scope, audit } = change;
    const before = await queries.findRole(tx, scope, id);
    await checkVersion(tx, { subject: 'role', id, current: before, read: wanted.version });
    if (before.isStandard) throw new ApiError('NOT_PERMITTED', { message: 'The standard roles cannot be changed.' });
    const holders = await queries.findHolders(tx, id);
    checkCovers(
      scope,
      holders.map(({ groupId }) => groupId),
    );
    await orTaken('NAME_TAKEN', queries.updateRole(tx, id, fields));
    await tellRightsChanged(
      change,
      holders.map(({ userId }) => userId),
    );
    const named = before.name === fields.name ? [] : ['name'];
    const detail = { fields: named, before: before.permissions, after: fields.permissions };
    await audit({ action: 'role.change', subject: 'role', subjectId: id, detail });
    return queries.findRole(tx, scope, id);
  });
}

/** A role of an organisation must not pass for a standard one. */
function checkedRole({ name, permissions }: RoleFields): RoleFields {
  if (Object.hasOwn(STANDARD_ROLES, name.toLowerCase())) throw new ApiError('NAME_TAKEN');
  return { name, permissions: [...new Set(permissions)] };
}
