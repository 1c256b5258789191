import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Me, Team, User } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import type { Permission } from '#contract/permissions.ts';
import { call, callForTeam } from '../api/call.ts';
import { ApiError } from '../api/error.ts';

const fetchMe = async (): Promise<Me | null> => {
  try {
    const me = await call('GET /api/me');
    callForTeam(selectedTeam(me)?.id ?? null);
    return me;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
};

/** The current user; null where nobody is signed in. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: fetchMe });

/** Version, names, contacts and limits of this installation. */
export const applicationInfoQuery = queryOptions({
  queryKey: ['application-info'],
  queryFn: () => call('GET /api/application-info'),
});

/** The remembered team of a user, or the first. */
export const selectedTeam = ({ user, defaultTeam }: Me): Team | undefined =>
  (defaultTeam ? user.teams[defaultTeam] : undefined) ?? Object.values(user.teams)[0];

/** What every page knows about who looks at it. */
export interface Session {
  user: User;
  team: Team;
  /** Whether the user holds a permission in at least one group of the team; the server checks the group concerned. */
  can: (permission: Permission) => boolean;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of a page behind sign-in. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is used outside the signed-in area.');
  return session;
};

/** Where the screens of an experience are. */
export const inboxPath = (user: User): string => {
  const base = experienceBase(user.applicationExperience);
  return base === '/ehr' ? '/ehr/inbox' : `${base}/home/inbox`;
};
export const rostersPath = (user: User): string => `${experienceBase(user.applicationExperience)}/rosters`;
export const feedsPath = (user: User): string => `${experienceBase(user.applicationExperience)}/feeds`;
export const adminPath = (user: User): string => `${experienceBase(user.applicationExperience)}/admin`;
export const profilePath = (user: User): string => `${experienceBase(user.applicationExperience)}/user-profile`;

/** A path of this site that somebody asked for before signing in; anything else is not followed. */
export const safeReturnPath = (path: unknown): string | null =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) && !path.startsWith('/login') ? path : null;
