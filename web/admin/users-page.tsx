import { Badge, Button, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { Loaded } from '../forms/loaded.tsx';
import { CardTable } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconPlus } from '../ui/icons.ts';
import { Pager } from '../ui/pager.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty } from '../ui/states.tsx';
import classes from './admin.module.css';
import { AdminPage, useEditing } from './admin-page.tsx';
import { usersQuery } from './admin-queries.ts';
import { BulkDisable } from './bulk-disable.tsx';
import { InviteDrawer } from './invite-drawer.tsx';
import { roleName } from './labels.ts';
import { Opener } from './opener.tsx';
import { organizationColumn } from './organization.ts';
import { type Directory, useDirectory } from './use-directory.ts';
import { UserDrawer } from './user-drawer.tsx';
import { USER_STATUS, UserStatusBadge } from './user-status.tsx';
import { USER_STATUS_CODES } from './user-statuses.ts';
import type { UsersSearch } from './users-search.ts';

/** Roles once each, and in how many groups. */
const accessOf = (user: AdminUser, directory: Directory | undefined): string => {
  if (user.grants.length === 0) return 'None';
  const roles = new Set(user.grants.map(({ roleId }) => directory?.roles.find(({ id }) => id === roleId)?.name ?? ''));
  const groups = new Set(user.grants.map(({ groupId }) => groupId)).size;
  return `${[...roles].filter(Boolean).map(roleName).join(', ')} · ${groups} ${groups === 1 ? 'group' : 'groups'}`;
};

const teamsOf = (user: AdminUser, directory: Directory | undefined): string =>
  [...new Set(user.grants.map(({ teamId }) => directory?.teams.find(({ id }) => id === teamId)?.name))]
    .filter(Boolean)
    .join(', ') || 'None';

/** One's own account and those that are disabled already cannot be chosen to be disabled. */
const canBeChosen = ({ isSelf, status }: AdminUser): boolean => !isSelf && status !== 'DISABLED';

const UserTable = ({
  users,
  directory,
  chosen,
  open,
}: {
  users: AdminUser[];
  directory: Directory | undefined;
  chosen: Chosen;
  open: (id: string) => void;
}) => (
  <CardTable
    label="Users"
    rows={users}
    columns={[
      [
        'Name',
        (user) => (
          <>
            <Checkbox
              className={classes.choose}
              size="sm"
              aria-label={`Choose ${user.lastName}, ${user.firstName}`}
              disabled={!canBeChosen(user)}
              checked={chosen.has(user)}
              onChange={({ currentTarget }) => chosen.set([user], currentTarget.checked)}
            />
            <Opener name={`${user.lastName}, ${user.firstName}`} open={() => open(user.id)} />
            {user.isSelf && (
              <>
                {' '}
                <Badge component="span" color="gray">
                  You
                </Badge>
              </>
            )}
            <div className={classes.dim}>{[user.username, user.title].filter(Boolean).join(' · ')}</div>
          </>
        ),
      ],
      ...organizationColumn(users),
      ['Status', (user) => <UserStatusBadge status={user.status} />],
      ['Access', (user) => accessOf(user, directory)],
      ['Teams', (user) => teamsOf(user, directory)],
      ['Sign-in', (user) => (user.isSSO ? 'Organisation' : user.mfaOptedIn ? 'Password and code' : 'Password')],
      ['Last sign-in', (user) => (user.lastSignInDate ? formatDateTime(user.lastSignInDate) : 'Not yet')],
    ]}
  />
);

/** Users who were chosen in the list, over its pages. */
const useChosen = () => {
  const [all, setAll] = useState<ReadonlyMap<string, AdminUser>>(new Map());
  return {
    all: [...all.values()],
    has: ({ id }: AdminUser): boolean => all.has(id),
    set: (users: readonly AdminUser[], on: boolean): void =>
      setAll((was) => {
        const next = new Map(was);
        for (const user of users)
          if (on) next.set(user.id, user);
          else next.delete(user.id);
        return next;
      }),
  };
};
type Chosen = ReturnType<typeof useChosen>;

/** All of this page at once, how many are chosen, and what can be done with them. */
const ChosenBar = ({ users, chosen, disable }: { users: AdminUser[]; chosen: Chosen; disable: () => void }) => {
  const here = users.filter(canBeChosen);
  const count = here.filter(chosen.has).length;
  return (
    <div className={classes.chosen} role="group" aria-label="Chosen users">
      <Checkbox
        size="sm"
        label="Choose all on this page"
        disabled={here.length === 0}
        checked={count > 0 && count === here.length}
        indeterminate={count > 0 && count < here.length}
        onChange={({ currentTarget }) => chosen.set(here, currentTarget.checked)}
      />
      {chosen.all.length > 0 && (
        <>
          <Text size="sm" role="status">
            {chosen.all.length} chosen
          </Text>
          <Button size="compact-xs" variant="default" onClick={disable}>
            Disable…
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => chosen.set(chosen.all, false)}>
            Choose none
          </Button>
        </>
      )}
    </div>
  );
};

/** A typed name searches after a pause; it stays in memory, never in the URL. */
const useTyped = (pause: number) => {
  const [typed, type] = useState('');
  const [settled, settle] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => settle(typed.trim()), pause);
    return () => clearTimeout(timer);
  }, [typed, pause]);
  return { typed, type, settled };
};

/** Users of the organisation: find, invite, edit. */
export const UsersPage = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { status, p = 1 } = useSearch({ strict: false }) as UsersSearch;
  const { typed, type, settled } = useTyped(250);
  const editing = useEditing<{ id: string } | 'invite'>();
  const chosen = useChosen();
  const [disabling, disable] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const directory = useDirectory();
  const query = useQuery({
    ...usersQuery({ pageNumber: p, ...(status ? { status } : {}), ...(settled ? { query: settled } : {}) }),
    placeholderData: (previous) => previous,
  });
  const choose = (next: UsersSearch): void => {
    const search = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
    void navigate({ to: '.', search, replace: true });
  };
  const narrowed = Number(settled !== '') + Number(status !== undefined);
  const clear = (): void => {
    type('');
    choose({});
  };
  const renew = (): void => void client.invalidateQueries({ queryKey: ['admin-users'] });
  useShortcuts({
    '/': (event) => {
      event.preventDefault();
      field.current?.focus();
    },
    n: (event) => {
      event.preventDefault();
      editing.edit('invite');
    },
  });
  const saved = (message: string): void => {
    renew();
    editing.saved(message);
  };
  const { open } = editing;
  return (
    <AdminPage
      title="Users"
      message={editing.message}
      close={() => editing.say(null)}
      action={
        <Button
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          disabled={!directory.data}
          onClick={() => editing.edit('invite')}
        >
          Invite
        </Button>
      }
    >
      <div className={classes.filters} role="search">
        <TextInput
          ref={field}
          label="Search"
          placeholder="Name or e-mail"
          type="search"
          maxLength={100}
          value={typed}
          onChange={({ currentTarget }) => {
            type(currentTarget.value);
            if (p > 1) choose(status ? { status } : {});
          }}
        />
        <NativeSelect
          label="Status"
          value={status ?? ''}
          onChange={({ currentTarget }) =>
            choose(currentTarget.value ? { status: currentTarget.value as AdminUser['status'] } : {})
          }
          data={[
            { value: '', label: 'Every status' },
            ...USER_STATUS_CODES.map((code) => ({ value: code, label: USER_STATUS[code].label })),
          ]}
        />
      </div>
      <Loaded query={query} what="users">
        {({ users, total, numPages }) => (
          <>
            <Text size="sm" c="dimmed" className="tabular" aria-live="polite">
              {total.toLocaleString('en-US')} {total === 1 ? 'user' : 'users'}
              {narrowed > 0 &&
                ` ${total === 1 ? 'matches' : 'match'} ${narrowed} ${narrowed === 1 ? 'filter' : 'filters'}`}
              {narrowed > 0 && (
                <Button size="compact-xs" variant="subtle" ml="sm" onClick={clear}>
                  Clear all
                </Button>
              )}
            </Text>
            {users.length === 0 ? (
              narrowed > 0 ? (
                <Empty
                  title="No user matches."
                  action={
                    <Button size="xs" variant="default" onClick={clear}>
                      Clear all
                    </Button>
                  }
                >
                  Search looks at names and e-mail addresses.
                </Empty>
              ) : (
                <Empty title="There are no users yet.">Invite the first one.</Empty>
              )
            ) : (
              <>
                <ChosenBar users={users} chosen={chosen} disable={() => disable(true)} />
                <UserTable
                  users={users}
                  directory={directory.data}
                  chosen={chosen}
                  open={(id) => editing.edit({ id })}
                />
              </>
            )}
            <div className={classes.foot}>
              <span />
              <Pager
                page={p}
                pages={numPages}
                go={(page) => choose({ ...(status ? { status } : {}), ...(page > 1 ? { p: page } : {}) })}
              />
            </div>
          </>
        )}
      </Loaded>
      {open === 'invite' && directory.data && (
        <InviteDrawer
          directory={directory.data}
          close={editing.close}
          invited={(message, finished) => {
            if (finished) saved(message);
            else {
              renew();
              editing.say(message);
            }
          }}
        />
      )}
      {open !== null && open !== 'invite' && (
        <UserDrawer
          key={open.id}
          id={open.id}
          saved={saved}
          outdated={renew}
          showChanges={() => void navigate({ to: '../changes', search: { user: Number(open.id) } as never })}
          close={editing.close}
        />
      )}
      {disabling && (
        <BulkDisable
          users={chosen.all}
          done={(disabled, finished) => {
            renew();
            chosen.set(disabled, false);
            if (disabled.length > 0)
              editing.say(
                `${disabled.length === 1 ? 'One account was' : `${disabled.length} accounts were`} disabled.`,
              );
            if (finished) disable(false);
          }}
          close={() => disable(false)}
        />
      )}
    </AdminPage>
  );
};
