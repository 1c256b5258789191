import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import type { UserStatus } from '#contract/user-statuses.ts';
import { useCommands } from '../../ui/commands.ts';
import { usersQuery } from '../admin-queries.ts';
import { usePaging } from '../paging/use-paging.ts';
import { useEditing } from '../use-editing.ts';
import { countAccounts } from './count-accounts.ts';
import { useSelectedUsers } from './use-selected-users.ts';
import type { UsersSearch } from './users-search.ts';

/** Loads a page of the users that match the URL and the typed name. */
const useFilteredUsers = () => {
  const { status } = useSearch({ strict: false }) as UsersSearch;
  const paging = usePaging();
  const query = useQuery({
    ...usersQuery({ ...paging.filters, ...(status ? { status } : {}) }),
    placeholderData: (previous) => previous,
  });
  return {
    query,
    paging,
    status,
    filterCount: Number(paging.query !== '') + Number(status !== undefined),
    filterByStatus: (code: UserStatus | undefined): void => paging.limit(code ? { status: code } : {}),
  };
};

/** Opens the user whom the URL names, and takes them out of the URL. */
const useAskedUser = (edit: (entry: { id: string }) => void): void => {
  const { user, ...rest } = useSearch({ strict: false }) as UsersSearch;
  const navigate = useNavigate();
  const open = useRef<(id: number) => void>(() => {});
  useEffect(() => {
    open.current = (id) => {
      edit({ id: String(id) });
      void navigate({ to: '.', search: rest, replace: true });
    };
  });
  useEffect(() => {
    if (user !== undefined) open.current(user);
  }, [user]);
};

export type Users = ReturnType<typeof useUsers>;

/** State of the user list: filters, selection and the open drawer. `field`: the search field. */
export const useUsers = (field: RefObject<HTMLInputElement | null>) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const list = useFilteredUsers();
  const editing = useEditing<{ id: string } | 'invite'>();
  const selection = useSelectedUsers();
  useAskedUser(editing.edit);
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['admin-users'] });
  useCommands({
    'list.search': (event) => {
      event?.preventDefault();
      field.current?.focus();
    },
    'users.invite': (event) => {
      event?.preventDefault();
      editing.edit('invite');
    },
  });
  return {
    ...list,
    editing,
    selection,
    refresh,
    invite: (): void => editing.edit('invite'),
    edit: (id: string): void => editing.edit({ id }),
    saved: (message: string): void => {
      refresh();
      editing.saved(message);
    },
    /** If someone could not be invited, the form stays open to be corrected. */
    invited: (message: string, finished: boolean): void => {
      refresh();
      if (finished) editing.saved(message);
      else editing.showMessage(message);
    },
    disabled: (users: readonly AdminUser[]): void => {
      refresh();
      selection.set(users, false);
      if (users.length > 0)
        editing.showMessage(`${countAccounts(users.length)} ${users.length === 1 ? 'was' : 'were'} disabled.`);
    },
    /** Opens the audit log of an account. */
    showChanges: (id: string): void => void navigate({ to: '../changes', search: { user: Number(id) } as never }),
  };
};
