import { createContext, useContext } from 'react';
import type { Team, User } from '#contract/accounts.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Preferences } from '#contract/users.ts';

/** What every page behind sign-in knows about its user. */
export interface Session {
  user: User;
  team: Team;
  preferences: Preferences;
  /** Whether the user holds a permission in at least one group of the team; the server checks the group concerned. */
  can: (permission: Permission) => boolean;
}

export const SessionContext = createContext<Session | null>(null);

/** Returns the session of a page behind sign-in. Throws elsewhere. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is used outside the signed-in area.');
  return session;
};
