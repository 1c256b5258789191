import { Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import { useId, useState } from 'react';
import type { Grant } from '#contract/admin.ts';
import classes from './admin.module.css';
import type { AdminRole } from './admin-types.ts';
import { permissionsOf, withPermissions } from './grant-changes.ts';
import { roleName } from './labels.ts';
import { isOfSame, type Owned, ownedName } from './organization.ts';
import { PermissionChoices } from './permission-choices.tsx';
import type { Directory } from './use-directory.ts';

const difference = ({ added, removed }: Grant): string =>
  [added.length && `${added.length} added`, removed.length && `${removed.length} taken away`]
    .filter(Boolean)
    .join(', ');

const One = ({
  grant,
  directory,
  readOnly,
  change,
  remove,
}: {
  grant: Grant;
  directory: Directory;
  readOnly: boolean;
  change: (grant: Grant) => void;
  remove: () => void;
}) => {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const place = directory.placeName(grant);
  const role = directory.roles.find(({ id }) => id === grant.roleId);
  return (
    <li className={classes.grant}>
      <div className={classes.grantLine}>
        <span className={classes.place}>{place}</span>
        <NativeSelect
          size="xs"
          aria-label={`Role at ${place}`}
          value={grant.roleId}
          disabled={readOnly}
          onChange={({ currentTarget }) => change({ ...grant, roleId: currentTarget.value, added: [], removed: [] })}
          data={choicesOf(grant, directory).map(({ id, name }) => ({ value: id, label: roleName(name) }))}
        />
        <Button
          size="xs"
          variant="default"
          aria-expanded={open}
          aria-controls={panel}
          aria-label={`Single permissions at ${place}${difference(grant) && `: ${difference(grant)}`}`}
          onClick={() => setOpen(!open)}
        >
          {difference(grant) || 'Single permissions'}
        </Button>
        {!readOnly && (
          <Button size="xs" variant="default" aria-label={`Remove the access to ${place}`} onClick={remove}>
            Remove
          </Button>
        )}
      </div>
      <div id={panel} hidden={!open}>
        {open && (
          <PermissionChoices
            chosen={permissionsOf(grant, directory.roles)}
            role={role?.permissions ?? []}
            readOnly={readOnly}
            choose={(permissions) => change(withPermissions(grant, permissions, directory.roles))}
          />
        )}
      </div>
    </li>
  );
};

const Add = ({
  grants,
  directory,
  owner,
  add,
}: {
  grants: Grant[];
  directory: Directory;
  owner: Owned | undefined;
  add: (grants: Grant[]) => void;
}) => {
  // All access of one user is in one organisation.
  const of = owner ?? directory.teams.find(({ id }) => id === grants[0]?.teamId);
  const teams = directory.teams.filter((each) => isOfSame(each, of ?? each));
  const [asked, setTeam] = useState('');
  const [roleAsked, setRole] = useState(defaultRole(directory.roles));
  const [chosen, choose] = useState<string[]>([]);
  const team = teams.find(({ id }) => id === asked) ?? teams[0];
  const teamId = team?.id ?? '';
  const roles = team ? rolesFor(team, directory.roles) : [];
  const roleId = roles.find(({ id }) => id === roleAsked)?.id ?? defaultRole(roles);
  const groups = directory.groups.filter(
    ({ id }) => team?.groupIds.includes(id) && !grants.some((grant) => grant.teamId === teamId && grant.groupId === id),
  );
  const free = groups.map(({ id }) => id);
  const taken = chosen.filter((id) => free.includes(id));
  return (
    <fieldset className={classes.add}>
      <legend>Give access</legend>
      <Group gap="sm" align="end">
        <NativeSelect
          size="xs"
          label="Team"
          value={teamId}
          onChange={({ currentTarget }) => {
            setTeam(currentTarget.value);
            choose([]);
          }}
          data={teams.map((each) => ({ value: each.id, label: ownedName(each) }))}
        />
        <NativeSelect
          size="xs"
          label="Role"
          value={roleId}
          onChange={({ currentTarget }) => setRole(currentTarget.value)}
          data={roles.map(({ id, name }) => ({ value: id, label: roleName(name) }))}
        />
      </Group>
      {groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          {team ? 'There is access to every group of this team already.' : 'There is no team yet.'}
        </Text>
      ) : (
        <>
          <div className={classes.checks} role="group" aria-label="Groups">
            {groups.length > 1 && (
              <Checkbox
                label={`All ${groups.length} groups`}
                checked={taken.length === free.length}
                indeterminate={taken.length > 0 && taken.length < free.length}
                onChange={({ currentTarget }) => choose(currentTarget.checked ? free : [])}
              />
            )}
            {groups.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={taken.includes(id)}
                onChange={({ currentTarget }) =>
                  choose(currentTarget.checked ? [...taken, id] : taken.filter((other) => other !== id))
                }
              />
            ))}
          </div>
          <Button
            size="xs"
            variant="default"
            disabled={taken.length === 0}
            style={{ alignSelf: 'flex-start' }}
            onClick={() => {
              add(taken.map((groupId) => ({ teamId, groupId, roleId, added: [], removed: [] })));
              choose([]);
            }}
          >
            Add to the access above
          </Button>
        </>
      )}
    </fieldset>
  );
};

/** The standard roles, and those of the team's organisation. */
const rolesFor = (team: Owned, roles: readonly AdminRole[]): AdminRole[] =>
  roles.filter((role) => role.isStandard || isOfSame(role, team));

const choicesOf = ({ teamId }: Grant, { teams, roles }: Directory): AdminRole[] => {
  const team = teams.find(({ id }) => id === teamId);
  return team ? rolesFor(team, roles) : roles;
};

/** The standard role that allows least, so that a press too many gives little away. */
const defaultRole = (roles: readonly AdminRole[]): string =>
  roles.filter(({ isStandard }) => isStandard).sort((a, b) => a.permissions.length - b.permissions.length)[0]?.id ??
  roles[0]?.id ??
  '';

/** What somebody may do, by team and group: a role, and single permissions added to it or taken away. */
export const GrantsEditor = ({
  grants,
  directory,
  owner,
  change,
  readOnly = false,
}: {
  grants: Grant[];
  directory: Directory;
  /** Whose access it is; absent while there is no account yet. */
  owner?: Owned;
  change: (grants: Grant[]) => void;
  readOnly?: boolean;
}) => (
  <section aria-label="Access">
    <h3 className={classes.subhead}>Access</h3>
    {grants.length === 0 && <Text c="dimmed">No access yet: nothing can be opened after signing in.</Text>}
    <ul className={classes.grants}>
      {grants.map((grant, at) => (
        <One
          key={`${grant.teamId} ${grant.groupId}`}
          grant={grant}
          directory={directory}
          readOnly={readOnly}
          change={(next) => change(grants.with(at, next))}
          remove={() => change(grants.toSpliced(at, 1))}
        />
      ))}
    </ul>
    {!readOnly && (
      <Add grants={grants} directory={directory} owner={owner} add={(more) => change([...grants, ...more])} />
    )}
  </section>
);
