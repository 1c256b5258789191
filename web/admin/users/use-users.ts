import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { useEditing } from '../admin-page.tsx';
import { usersQuery } from '../admin-queries.ts';
import { useChosenUsers } from './use-chosen-users.ts';
import type { UserStatus } from './user-statuses.ts';
import type { UsersSearch } from './users-search.ts';

/** A typed name searches after a pause; it stays in memory, never in the URL. */
const useTyped = (pause: number) => {
  const [typed, setTyped] = useState('');
  const [settled, settle] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => settle(typed.trim()), pause);
    return () => clearTimeout(timer);
  }, [typed, pause]);
  return { typed, setTyped, settled };
};

/** Which users are asked for, by the URL and by a typed name, and their page. */
const useAskedUsers = () => {
  const navigate = useNavigate();
  const { status, p: page = 1 } = useSearch({ strict: false }) as UsersSearch;
  const { typed, setTyped, settled } = useTyped(250);
  const query = useQuery({
    ...usersQuery({ pageNumber: page, ...(status ? { status } : {}), ...(settled ? { query: settled } : {}) }),
    placeholderData: (previous) => previous,
  });
  const choose = (search: UsersSearch): void => void navigate({ to: '.', search, replace: true });
  const ofStatus = (code: UserStatus | undefined): UsersSearch => (code ? { status: code } : {});
  return {
    query,
    page,
    status,
    typed,
    /** How many filters narrow the list. */
    narrowed: Number(settled !== '') + Number(status !== undefined),
    type: (text: string): void => {
      setTyped(text);
      if (page > 1) choose(ofStatus(status));
    },
    chooseStatus: (code: UserStatus | undefined): void => choose(ofStatus(code)),
    go: (next: number): void => choose({ ...ofStatus(status), ...(next > 1 ? { p: next } : {}) }),
    clear: (): void => {
      setTyped('');
      choose({});
    },
  };
};

export type Users = ReturnType<typeof useUsers>;

/** The list of users, who of them is chosen, and what stands open beside it. `field`: where a name is typed. */
export const useUsers = (field: RefObject<HTMLInputElement | null>) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const asked = useAskedUsers();
  const editing = useEditing<{ id: string } | 'invite'>();
  const chosen = useChosenUsers();
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
  return {
    ...asked,
    editing,
    chosen,
    renew,
    invite: (): void => editing.edit('invite'),
    edit: (id: string): void => editing.edit({ id }),
    saved: (message: string): void => {
      renew();
      editing.saved(message);
    },
    /** What is refused keeps the form open, to be mended. */
    invited: (message: string, finished: boolean): void => {
      renew();
      if (finished) editing.saved(message);
      else editing.say(message);
    },
    disabled: (users: readonly AdminUser[]): void => {
      renew();
      chosen.set(users, false);
      if (users.length > 0)
        editing.say(`${users.length === 1 ? 'One account was' : `${users.length} accounts were`} disabled.`);
    },
    /** Leads to what was done to an account. */
    showChanges: (id: string): void => void navigate({ to: '../changes', search: { user: Number(id) } as never }),
  };
};
