import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProviderGroup, Provisioning, TeamRole } from '#contract/provisioning.ts';
import { call } from '../../api/call.ts';
import { Modal } from '../../ui/modal.tsx';
import { Failed } from '../../ui/states.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import classes from '../admin.module.css';
import { type Directory, nameOf } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import type { Owned } from '../organization.ts';
import { defaultRole } from '../users/team-roles.ts';
import { givableRoles, TeamRoleFields, teamsOf } from './team-role-fields.tsx';

interface Props {
  connectionId: string;
  groups: readonly ProviderGroup[];
  directory: Directory;
  owner: Owned;
  changed: (provisioning: Provisioning) => void;
}

const membersInWords = (count: number): string =>
  count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`;

const accessInWords = ({ access }: ProviderGroup, { roles, teams }: Directory): string =>
  access.length === 0
    ? 'Gives no access.'
    : `Gives ${access.map(({ teamId, roleId }) => `${roleName(nameOf(roles, roleId))} on ${nameOf(teams, teamId)}`).join(', ')}.`;

/** What the members of a group get: one role for each team. */
const AccessDialog = ({
  group,
  connectionId: id,
  directory,
  owner,
  changed,
  close,
}: Omit<Props, 'groups'> & { group: ProviderGroup; close: () => void }) => {
  useReturnFocus();
  const [access, setAccess] = useState<TeamRole[]>(group.access);
  const free = teamsOf(owner, directory).find((team) => !access.some(({ teamId }) => teamId === team.id));
  const save = useMutation({
    mutationFn: () =>
      call('PUT /api/admin/sso-connections/:id/provider-groups/:groupId', {
        params: { id, groupId: group.id },
        body: { access },
      }),
    onSuccess: (answer) => {
      changed(answer);
      close();
    },
  });
  const add = (): void => {
    if (free) setAccess([...access, { teamId: free.id, roleId: defaultRole(givableRoles(owner, directory)) }]);
  };
  return (
    <Modal
      opened
      onClose={() => save.isPending || close()}
      title={`What members of ${group.name} may do`}
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {membersInWords(group.memberCount)} now, and whoever joins the group, for every group of the team. People who
          manage users get nothing this way.
        </Text>
        {access.map((each, at) => (
          <Group key={each.teamId} gap="sm" align="end">
            <TeamRoleFields
              value={each}
              change={(next) => setAccess(access.with(at, next))}
              directory={directory}
              owner={owner}
            />
            <Button
              size="xs"
              variant="default"
              aria-label={`Remove ${nameOf(directory.teams, each.teamId)}`}
              onClick={() => setAccess(access.toSpliced(at, 1))}
            >
              Remove
            </Button>
          </Group>
        ))}
        {free && (
          <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={add}>
            Add a team
          </Button>
        )}
      </Stack>
      {save.error && <Failed what="Nothing was changed." error={save.error} />}
      <Group gap="sm" mt="lg">
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          Save access
        </Button>
        <Button variant="default" disabled={save.isPending} onClick={close}>
          Cancel
        </Button>
      </Group>
    </Modal>
  );
};

/** The groups that the identity provider has sent, and what each gives. */
export const ProviderGroups = ({ groups, directory, ...props }: Props) => {
  const [editing, edit] = useState<ProviderGroup | null>(null);
  return (
    <section aria-label="Groups of the identity provider">
      <h4 className={classes.subhead}>Groups</h4>
      {groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          Your identity provider hasn't sent any groups.
        </Text>
      ) : (
        <ul className={classes.names}>
          {groups.map((group) => (
            <li key={group.id}>
              <Group gap="sm" justify="space-between" wrap="nowrap">
                <span>
                  <b>{group.name}</b> · {membersInWords(group.memberCount)}
                  <div className={classes.dim}>{accessInWords(group, directory)}</div>
                </span>
                <Button
                  size="compact-xs"
                  variant="default"
                  style={{ flex: 'none' }}
                  aria-label={`Change what ${group.name} gives`}
                  onClick={() => edit(group)}
                >
                  Change…
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {editing && <AccessDialog {...props} group={editing} directory={directory} close={() => edit(null)} />}
    </section>
  );
};
