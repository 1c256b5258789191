import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import type { AccessRequest } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { useSession } from '../../session/session.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { PermissionChange } from '../directory/permission-change.tsx';
import type { Directory } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import { ownedName } from '../organization.ts';
import { rolesFor } from '../users/team-roles.ts';

interface Props {
  request: AccessRequest;
  directory: Directory;
  done: () => void;
  close: () => void;
}

/** The teams that work for the group, oldest first; the reader's own, if it is among them, before the others. */
const teamsOf = ({ groupId }: AccessRequest, { teams }: Directory, own: string) =>
  teams
    .filter(({ groupIds }) => groupIds.includes(groupId))
    .sort((a, b) => Number(b.id === own) - Number(a.id === own) || Number(a.id) - Number(b.id));

/** The access that is about to be given: as a viewer, unless another role is chosen. */
const useChoice = (request: AccessRequest, directory: Directory) => {
  const { team: own } = useSession();
  const teams = teamsOf(request, directory, own.id);
  const [teamId, setTeam] = useState(teams[0]?.id ?? '');
  const [chosenRole, setRole] = useState<string | null>(null);
  const team = teams.find(({ id }) => id === teamId);
  const roles = team ? rolesFor(team, directory.roles) : [];
  const viewer = roles.find(({ name, isStandard }) => isStandard && name === 'viewer');
  const role = roles.find(({ id }) => id === chosenRole) ?? viewer;
  return { teams, teamId, setTeam, roles, role, setRole };
};

/** Asks on which team, and as what, someone who asked to join a group is added to it. */
export const ApproveRequest = ({ request, directory, done, close }: Props) => {
  const { teams, teamId, setTeam, roles, role, setRole } = useChoice(request, directory);
  const { id: requestId, firstName, lastName, username, groupId, groupName } = request;
  const name = `${firstName} ${lastName}`;
  const approve = () =>
    call('POST /api/users/authorize-group', {
      query: { username, groupId, requestId, ...(teamId ? { teamId } : {}), ...(role ? { roleId: role.id } : {}) },
    });
  return (
    <Confirm title={`Approve ${name} for ${groupName}?`} word="Approve request" act={approve} done={done} close={close}>
      <Text size="sm" mb="sm">
        {username} gets an email and can see {groupName}. Access that they already have stays as it is.
      </Text>
      {teams.length === 0 ? (
        <Text size="sm">No team works for this group yet. Add the group to a team first.</Text>
      ) : (
        <>
          <ChoiceField
            label="Team"
            value={teamId}
            onChange={({ currentTarget }) => setTeam(currentTarget.value)}
            data={teams.map((each) => ({ value: each.id, label: ownedName(each) }))}
          />
          <NativeSelect
            mt="xs"
            mb="xs"
            label="Role"
            value={role?.id ?? ''}
            onChange={({ currentTarget }) => setRole(currentTarget.value)}
            data={roles.map((each) => ({ value: each.id, label: roleName(each.name) }))}
          />
          <PermissionChange adds={role?.permissions ?? []} removes={[]} />
        </>
      )}
    </Confirm>
  );
};
