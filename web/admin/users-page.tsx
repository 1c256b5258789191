import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { Loaded } from '../forms/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty } from '../ui/states.tsx';
import { AddButton } from './add-button.tsx';
import classes from './admin.module.css';
import { AdminPage, useEditing } from './admin-page.tsx';
import { usersQuery } from './admin-queries.ts';
import { BulkDisable } from './bulk-disable.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { InviteDrawer } from './invite-drawer.tsx';
import { useChosenUsers } from './use-chosen-users.ts';
import { useDirectory } from './use-directory.ts';
import { UserDrawer } from './user-drawer.tsx';
import { USER_STATUS } from './user-status.tsx';
import { USER_STATUS_CODES } from './user-statuses.ts';
import { UserTable } from './user-table.tsx';
import type { UsersSearch } from './users-search.ts';

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
  const chosen = useChosenUsers();
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
      action={<AddButton words="Invite" ready={directory.data !== undefined} add={() => editing.edit('invite')} />}
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
