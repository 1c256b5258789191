import { Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import type { Grant } from '#contract/admin.ts';
import classes from '../admin.module.css';
import { roleName } from '../labels.ts';
import { ownedName } from '../organization.ts';
import { type AccessGiven, type NewAccess, useNewAccess } from './use-new-access.ts';

const TeamAndRole = ({ access }: { access: NewAccess }) => (
  <Group gap="sm" align="end">
    <NativeSelect
      size="xs"
      label="Team"
      value={access.teamId}
      onChange={({ currentTarget }) => access.setTeam(currentTarget.value)}
      data={access.teams.map((team) => ({ value: team.id, label: ownedName(team) }))}
    />
    <NativeSelect
      size="xs"
      label="Role"
      value={access.roleId}
      onChange={({ currentTarget }) => access.setRole(currentTarget.value)}
      data={access.roles.map(({ id, name }) => ({ value: id, label: roleName(name) }))}
    />
  </Group>
);

const Groups = ({ access: { groups, taken, takeAll, take } }: { access: NewAccess }) => (
  <div className={classes.checks} role="group" aria-label="Groups">
    {groups.length > 1 && (
      <Checkbox
        label={`All ${groups.length} groups`}
        checked={taken.length === groups.length}
        indeterminate={taken.length > 0 && taken.length < groups.length}
        onChange={({ currentTarget }) => takeAll(currentTarget.checked)}
      />
    )}
    {groups.map(({ id, name }) => (
      <Checkbox
        key={id}
        label={name}
        checked={taken.includes(id)}
        onChange={({ currentTarget }) => take(id, currentTarget.checked)}
      />
    ))}
  </div>
);

/** Gives access to groups of a team, in one role. */
export const GiveAccess = ({ add, ...given }: AccessGiven & { add: (grants: Grant[]) => void }) => {
  const access = useNewAccess(given);
  return (
    <fieldset className={classes.add}>
      <legend>Give access</legend>
      <TeamAndRole access={access} />
      {access.groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          {access.teams.length > 0 ? 'There is access to every group of this team already.' : 'There is no team yet.'}
        </Text>
      ) : (
        <>
          <Groups access={access} />
          <Button
            size="xs"
            variant="default"
            disabled={access.taken.length === 0}
            style={{ alignSelf: 'flex-start' }}
            onClick={() => add(access.finish())}
          >
            Add to the access above
          </Button>
        </>
      )}
    </fieldset>
  );
};
