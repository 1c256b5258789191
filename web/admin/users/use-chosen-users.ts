import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';

/** One's own account and those that are disabled already cannot be chosen to be disabled. */
export const canBeChosen = ({ isSelf, status }: AdminUser): boolean => !isSelf && status !== 'DISABLED';

/** Users who were chosen in the list, over its pages. */
export const useChosenUsers = () => {
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
export type ChosenUsers = ReturnType<typeof useChosenUsers>;
