import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';

/** Administrators cannot select their own account. */
export const isSelectable = ({ isSelf }: AdminUser): boolean => !isSelf;

/** The users selected in the list, across its pages. */
export const useSelectedUsers = () => {
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
export type SelectedUsers = ReturnType<typeof useSelectedUsers>;
