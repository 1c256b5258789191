import { Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import { CheckList } from '../../ui/check-list.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { LONGEST_LIST } from '../../ui/long-lists.ts';
import classes from '../admin.module.css';
import { roleName } from '../labels.ts';
import { ownedName } from '../organization.ts';
import { type AccessContext, type NewAccess, useNewAccess } from './use-new-access.ts';

const TeamAndRole = ({ access }: { access: NewAccess }) => (
  <Group gap="sm" align="end">
    <ChoiceField
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

const Groups = ({ access: { groups, selected, selectAll, select, setSelected, teamId } }: { access: NewAccess }) =>
  groups.length > LONGEST_LIST ? (
    <CheckList
      key={teamId}
      what="groups"
      options={groups.map(({ id, name }) => ({ value: id, label: name }))}
      selected={selected}
      change={setSelected}
    />
  ) : (
    <div className={classes.checks} role="group" aria-label="Groups">
      {groups.length > 1 && (
        <Checkbox
          label={`All ${groups.length} groups`}
          checked={selected.length === groups.length}
          indeterminate={selected.length > 0 && selected.length < groups.length}
          onChange={({ currentTarget }) => selectAll(currentTarget.checked)}
        />
      )}
      {groups.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={selected.includes(id)}
          onChange={({ currentTarget }) => select(id, currentTarget.checked)}
        />
      ))}
    </div>
  );

/** Adds access to groups of a team, in one role. */
export const AddAccess = (context: AccessContext) => {
  const access = useNewAccess(context);
  return (
    <fieldset className={classes.add}>
      <legend>Add access</legend>
      <TeamAndRole access={access} />
      {access.groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          {access.teams.length > 0 ? 'They already have access to every group on this team.' : 'No teams yet.'}
        </Text>
      ) : (
        <>
          <Groups access={access} />
          <Button
            size="xs"
            variant="default"
            disabled={access.selected.length === 0}
            style={{ alignSelf: 'flex-start' }}
            onClick={access.add}
          >
            Add access
          </Button>
        </>
      )}
    </fieldset>
  );
};
