import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { useNavigate, useSearch } from '../../router/hooks.ts';
import { useCommands } from '../../ui/commands.ts';
import { usersQuery } from '../admin-queries.ts';
import { usePaging } from '../paging/use-paging.ts';
import { useEditing } from '../use-editing.ts';
import { BULK_WORDS, type BulkKind } from './bulk-words.ts';
import { useSelectedUsers } from './use-selected-users.ts';
import { type UserFilterValues, userFiltersIn, userQueryOf, usersSearch } from './users-search.ts';

/** Loads a page of the users that match the URL and the typed name. */
const useFilteredUsers = () => {
  const filters = userFiltersIn(useSearch());
  const paging = usePaging();
  const query = useQuery({
    ...usersQuery({ ...paging.filters, ...userQueryOf(filters) }),
    placeholderData: (previous) => previous,
  });
  const { sort: _, ...limiting } = filters;
  const count = Object.keys(limiting).length;
  return {
    query,
    paging,
    filters,
    /** Whether anything but a typed name limits the list. */
    isFiltered: count > 0,
    filterCount: Number(paging.query !== '') + count,
    filterBy: (name: keyof UserFilterValues, value: string): void =>
      paging.limit(userFiltersIn({ ...filters, [name]: value })),
  };
};

/** Opens the user whom the URL names, and takes them out of the URL. */
const useAskedUser = (edit: (entry: { id: string }) => void): void => {
  const { user, ...rest } = usersSearch(useSearch());
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
    changed: (kind: BulkKind, users: readonly AdminUser[]): void => {
      refresh();
      selection.set(users, false);
      if (users.length > 0) editing.showMessage(BULK_WORDS[kind].done(users.length));
    },
    /** Opens the audit log of an account. */
    showChanges: (id: string): void => void navigate({ to: '../changes', search: { user: Number(id) } }),
  };
};
