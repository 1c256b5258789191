import { NativeSelect, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { UserChange } from '#contract/user-changes.ts';
import { CheckList } from '../../ui/check-list.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import type { Directory } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import { ownedName } from '../organization.ts';
import { defaultRole, rolesFor } from './team-roles.ts';

export type AccessKind = 'GIVE_ROLE' | 'TAKE_ACCESS';

/** State of the question at which team, for which groups and in which role access changes. */
export const useBulkAccess = (kind: AccessKind, directory: Directory) => {
  const [wantedTeam, setTeam] = useState('');
  const [wantedRole, setRole] = useState('');
  /** Null for all groups of the team. */
  const [groupIds, setGroups] = useState<string[] | null>(null);
  const team = directory.teams.find(({ id }) => id === wantedTeam) ?? directory.teams[0];
  const roles = team ? rolesFor(team, directory.roles) : [];
  const roleId = roles.find(({ id }) => id === wantedRole)?.id ?? defaultRole(roles);
  const place = { teamId: team?.id ?? '', groupIds };
  const change: UserChange = kind === 'GIVE_ROLE' ? { kind, ...place, roleId } : { kind, ...place };
  return {
    kind,
    team,
    teams: directory.teams,
    setTeam: (id: string): void => {
      setTeam(id);
      setGroups(null);
    },
    roles,
    roleId,
    setRole,
    groups: directory.groups.filter(({ id }) => team?.groupIds.includes(id)),
    groupIds,
    setGroups,
    change,
    isComplete: team !== undefined && groupIds?.length !== 0,
  };
};

/** Asks for team, role and groups. */
export const BulkAccessFields = ({ access }: { access: ReturnType<typeof useBulkAccess> }) => (
  <Stack gap="sm" mt="sm">
    <ChoiceField
      label="Team"
      value={access.team?.id ?? ''}
      onChange={({ currentTarget }) => access.setTeam(currentTarget.value)}
      data={access.teams.map((team) => ({ value: team.id, label: ownedName(team) }))}
    />
    {access.kind === 'GIVE_ROLE' && (
      <NativeSelect
        label="Role"
        value={access.roleId}
        onChange={({ currentTarget }) => access.setRole(currentTarget.value)}
        data={access.roles.map(({ id, name }) => ({ value: id, label: roleName(name) }))}
      />
    )}
    <Radio.Group
      label="Groups"
      value={access.groupIds === null ? 'all' : 'some'}
      onChange={(value) => access.setGroups(value === 'all' ? null : [])}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="all" label={`All groups of the team (${access.groups.length.toLocaleString('en-US')})`} />
        <Radio value="some" label="Only these" />
      </Stack>
    </Radio.Group>
    {access.groupIds !== null && (
      <CheckList
        key={access.team?.id}
        what="groups"
        options={access.groups.map(({ id, name }) => ({ value: id, label: name }))}
        selected={access.groupIds}
        change={access.setGroups}
      />
    )}
  </Stack>
);
