import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import type { UserStatus } from '#contract/user-statuses.ts';
import { useCommands } from '../../ui/commands.ts';
import { usersQuery } from '../admin-queries.ts';
import { useEditing } from '../use-editing.ts';
import { countAccounts } from './count-accounts.ts';
import { useSelectedUsers } from './use-selected-users.ts';
import type { UsersSearch } from './users-search.ts';

/** A typed name, searched for after a pause. It stays in memory and is never put into the URL. */
const useTyped = (pause: number) => {
  const [typed, setTyped] = useState('');
  const [settled, settle] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => settle(typed.trim()), pause);
    return () => clearTimeout(timer);
  }, [typed, pause]);
  return { typed, setTyped, settled };
};

/** Loads a page of the users that match the URL and the typed name. */
const useFilteredUsers = () => {
  const navigate = useNavigate();
  const { status, p: page = 1 } = useSearch({ strict: false }) as UsersSearch;
  const { typed, setTyped, settled } = useTyped(250);
  const query = useQuery({
    ...usersQuery({ pageNumber: page, ...(status ? { status } : {}), ...(settled ? { query: settled } : {}) }),
    placeholderData: (previous) => previous,
  });
  const navigateTo = (search: UsersSearch): void => void navigate({ to: '.', search, replace: true });
  const withStatus = (code: UserStatus | undefined): UsersSearch => (code ? { status: code } : {});
  return {
    query,
    page,
    status,
    typed,
    filterCount: Number(settled !== '') + Number(status !== undefined),
    type: (text: string): void => {
      setTyped(text);
      if (page > 1) navigateTo(withStatus(status));
    },
    filterByStatus: (code: UserStatus | undefined): void => navigateTo(withStatus(code)),
    go: (next: number): void => navigateTo({ ...withStatus(status), ...(next > 1 ? { p: next } : {}) }),
    clearFilters: (): void => {
      setTyped('');
      navigateTo({});
    },
  };
};

export type Users = ReturnType<typeof useUsers>;

/** State of the user list: filters, selection and the open drawer. `field`: the search field. */
export const useUsers = (field: RefObject<HTMLInputElement | null>) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const list = useFilteredUsers();
  const editing = useEditing<{ id: string } | 'invite'>();
  const selection = useSelectedUsers();
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
