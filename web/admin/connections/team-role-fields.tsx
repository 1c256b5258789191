import { Group, NativeSelect } from '@mantine/core';
import type { TeamRole } from '#contract/provisioning.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import type { Directory } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import { isSameOrganization, type Owned } from '../organization.ts';
import { rolesFor } from '../users/team-roles.ts';

/** What a provider may give: never the right to manage users. */
export const givableRoles = (owner: Owned, { roles }: Directory) =>
  rolesFor(owner, roles).filter(({ permissions }) => !permissions.includes('canManageUsers'));

export const teamsOf = (owner: Owned, { teams }: Directory) => teams.filter((team) => isSameOrganization(team, owner));

/** A team, and the role there. */
export const TeamRoleFields = ({
  value,
  change,
  directory,
  owner,
}: {
  value: TeamRole;
  change: (value: TeamRole) => void;
  directory: Directory;
  owner: Owned;
}) => (
  <Group gap="sm" align="end">
    <ChoiceField
      size="xs"
      label="Team"
      value={value.teamId}
      onChange={({ currentTarget }) => change({ ...value, teamId: currentTarget.value })}
      data={teamsOf(owner, directory).map(({ id, name }) => ({ value: id, label: name }))}
    />
    <NativeSelect
      size="xs"
      label="Role"
      value={value.roleId}
      onChange={({ currentTarget }) => change({ ...value, roleId: currentTarget.value })}
      data={givableRoles(owner, directory).map(({ id, name }) => ({ value: id, label: roleName(name) }))}
    />
  </Group>
);
