import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Provisioning, TeamRole } from '#contract/provisioning.ts';
import { call } from '../../api/call.ts';
import { Failed } from '../../ui/states.tsx';
import { type Directory, nameOf } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import type { Owned } from '../organization.ts';
import { defaultRole } from '../users/team-roles.ts';
import { givableRoles, TeamRoleFields, teamsOf } from './team-role-fields.tsx';

interface Props {
  connectionId: string;
  newUsers: TeamRole | null;
  directory: Directory;
  owner: Owned;
  changed: (provisioning: Provisioning) => void;
}

/** What someone without an account gets when they sign in for the first time. */
export const NewUsers = ({ connectionId, newUsers, directory, owner, changed }: Props) => {
  const [edited, edit] = useState<TeamRole | null>(null);
  const save = useMutation({
    mutationFn: (wanted: TeamRole | null) =>
      call('PUT /api/admin/sso-connections/:id/new-users', {
        params: { id: connectionId },
        body: { newUsers: wanted },
      }),
    onSuccess: (answer) => {
      edit(null);
      changed(answer);
    },
  });
  const start = (): void =>
    edit(
      newUsers ?? {
        teamId: teamsOf(owner, directory)[0]?.id ?? '',
        roleId: defaultRole(givableRoles(owner, directory)),
      },
    );
  return (
    <div>
      <Text size="sm" mb="xs">
        {newUsers
          ? `Someone with an address in a verified domain and no account gets one at the first sign-in: ${roleName(nameOf(directory.roles, newUsers.roleId))} on ${nameOf(directory.teams, newUsers.teamId)}.`
          : 'Someone without an account is refused.'}
      </Text>
      {edited && <TeamRoleFields value={edited} change={edit} directory={directory} owner={owner} />}
      {save.error && <Failed what="Nothing was changed." error={save.error} />}
      <Group gap="sm" mt="xs">
        {edited ? (
          <>
            <Button
              size="xs"
              variant="default"
              disabled={edited.teamId === ''}
              loading={save.isPending}
              onClick={() => save.mutate(edited)}
            >
              Create accounts this way
            </Button>
            <Button size="xs" variant="subtle" onClick={() => edit(null)}>
              Cancel
            </Button>
          </>
        ) : (
          <>
            <Button size="xs" variant="default" onClick={start}>
              {newUsers ? 'Change what they get…' : 'Create accounts at the first sign-in…'}
            </Button>
            {newUsers && (
              <Button size="xs" variant="default" loading={save.isPending} onClick={() => save.mutate(null)}>
                Refuse people without an account
              </Button>
            )}
          </>
        )}
      </Group>
    </div>
  );
};
