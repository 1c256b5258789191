import { Badge, Checkbox } from '@mantine/core';
import type { AdminUser } from '#contract/admin.ts';
import { counted } from '#contract/counted.ts';
import { AddressText } from '../../ui/address-text.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { NamesCell } from '../../ui/names-cell.tsx';
import classes from '../admin.module.css';
import type { Directory } from '../directory/use-directory.ts';
import { roleName } from '../labels.ts';
import { Opener } from '../opener.tsx';
import { organizationColumn } from '../organization.ts';
import { isSelectable, type SelectedUsers } from './use-selected-users.ts';
import { UserStatusBadge } from './user-status-badge.tsx';

/** 'Viewer, Clinician · 3 groups': each role once, and for how many groups. */
const accessOf = (user: AdminUser, directory: Directory | undefined): string => {
  if (user.grants.length === 0) return 'None';
  const roles = new Set(user.grants.map(({ roleId }) => directory?.roles.find(({ id }) => id === roleId)?.name ?? ''));
  const groups = new Set(user.grants.map(({ groupId }) => groupId)).size;
  return `${[...roles].filter(Boolean).map(roleName).join(', ')} · ${counted(groups, 'group')}`;
};

const teamsOf = (user: AdminUser, directory: Directory | undefined): string[] =>
  [...new Set(user.grants.map(({ teamId }) => teamId))].flatMap(
    (teamId) => directory?.teams.find(({ id }) => id === teamId)?.name ?? [],
  );

/** A page of users, each with a checkbox to select it and a name that opens it. */
export const UserTable = ({
  users,
  directory,
  selection,
  open,
}: {
  users: AdminUser[];
  directory: Directory | undefined;
  selection: SelectedUsers;
  open: (id: string) => void;
}) => (
  <CardTable
    label="Users"
    rows={users}
    columns={[
      [
        'Name',
        (user) => (
          <div className={classes.selectable}>
            <label className={classes.target} htmlFor={`select-user-${user.id}`}>
              <Checkbox
                id={`select-user-${user.id}`}
                size="sm"
                aria-label={`Select ${user.lastName}, ${user.firstName}`}
                disabled={!isSelectable(user)}
                checked={selection.has(user)}
                onChange={({ currentTarget }) => selection.set([user], currentTarget.checked)}
              />
            </label>
            <div>
              <Opener name={`${user.lastName}, ${user.firstName}`} open={() => open(user.id)} />
              {user.isSelf && (
                <>
                  {' '}
                  <Badge component="span" color="gray">
                    You
                  </Badge>
                </>
              )}
              <div className={classes.dim}>
                <AddressText text={[user.username, user.title].filter(Boolean).join(' · ')} />
              </div>
            </div>
          </div>
        ),
        { width: '30%' },
      ],
      ...organizationColumn(users),
      ['Status', (user) => <UserStatusBadge status={user.status} />, { width: '11%' }],
      ['Access', (user) => accessOf(user, directory)],
      ['Teams', (user) => <NamesCell names={teamsOf(user, directory)} one="team" many="teams" />],
      ['Sign-in', (user) => (user.isSSO ? 'Single sign-on' : user.mfaOptedIn ? 'Password and code' : 'Password')],
      ['Last sign-in', (user) => (user.lastSignInDate ? <DateTime value={user.lastSignInDate} /> : 'Never')],
    ]}
  />
);
