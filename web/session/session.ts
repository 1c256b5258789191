import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Me, Team, User } from '#contract/accounts.ts';
import { type ApplicationExperience, experienceBase } from '#contract/experiences.ts';
import type { Permission } from '#contract/permissions.ts';
import { call, callForTeam } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { queryClient } from '../api/query-client.ts';
import { setReaderZone } from '../ui/format/date.ts';
import { ownDrafts } from './drafts.ts';

const fetchMe = async (): Promise<Me | null> => {
  try {
    const me = await call('GET /api/me');
    callForTeam(selectedTeam(me)?.id ?? null);
    setReaderZone(me.timeZone);
    await ownDrafts({ userId: me.user.id, draftKey: me.draftKey });
    return me;
  } catch (error) {
    // An expired password signs nobody in before it is changed.
    if (error instanceof ApiError && (error.status === 401 || error.errorKey === 'PASSWORD_CHANGE_REQUIRED'))
      return null;
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

const KEPT = new Set<unknown>([meQuery.queryKey[0], applicationInfoQuery.queryKey[0]]);

/**
 * Removes all that was read for a user and team. Not `queryClient.clear()`: what watches who is signed in would then watch a query
 * that is no longer there, and never hear of the next user or team.
 */
export const forgetWhatWasRead = (): void => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
  queryClient.getMutationCache().clear();
};

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
/** The roster of patients; of a hospital it is the first page. */
export const patientsPath = (user: User): string => {
  const base = experienceBase(user.applicationExperience);
  return base === '/hospital' ? base : `${base}/patients/my-patients`;
};
export const lengthOfStayPath = (user: User): string => `${experienceBase(user.applicationExperience)}/length-of-stay`;
export const rostersPath = (user: User): string => `${experienceBase(user.applicationExperience)}/rosters`;
export const feedsPath = (user: User): string => `${experienceBase(user.applicationExperience)}/feeds`;
export const adminPath = (user: User): string => `${experienceBase(user.applicationExperience)}/admin`;
export const profilePath = (user: User): string => `${experienceBase(user.applicationExperience)}/user-profile`;

export const whatsNewPath = (user: User): string => `${experienceBase(user.applicationExperience)}/whats-new`;

/** The page that a user's home leads to: the first of the navigation that his or her team lets open; none, and it is the page that says so. */
export const startPath = ({ user, can }: Pick<Session, 'user' | 'can'>): string => {
  const base = experienceBase(user.applicationExperience);
  const pings = [inboxPath(user), 'canViewPings'] as const;
  const patients = [patientsPath(user), 'canViewPatients'] as const;
  const pages: (readonly [string, Permission])[] = [
    ...(base === '/hospital' ? [patients, pings] : base === '/ehr' ? [pings] : [pings, patients]),
    [rostersPath(user), 'canUploadRoster'],
    [adminPath(user), 'canManageUsers'],
  ];
  return pages.find(([, permission]) => can(permission))?.[0] ?? '/permissions-error';
};

/** Where a user begins (specification, first file, "Home path by application experience"). */
export const homePath = ({ applicationExperience, patientId }: User): string => {
  const base = experienceBase(applicationExperience);
  if (base !== '/ehr') return base;
  return patientId ? `/ehr/patients/${encodeURIComponent(patientId)}` : '/ehr/inbox';
};

const ASKED_FOR_SETTING: readonly ApplicationExperience[] = ['ANAHIT', 'ANAHIT_ENTERPRISE_SSO'];
/** Whether a primary clinical setting is asked for in the user's experience. */
export const hasClinicalSetting = ({ applicationExperience }: User): boolean =>
  ASKED_FOR_SETTING.includes(applicationExperience);
/** Whether the user has to choose a primary clinical setting first. */
export const lacksClinicalSetting = (user: User): boolean =>
  user.primaryClinicalSetting === null && hasClinicalSetting(user);

/** Pages that one does not come back to. */
const NO_RETURN = /^\/(login|error|sso-timeout|permissions-error|primary-clinical-setting)\b/;
/** A path of this site that somebody asked for before signing in; anything else is not followed. */
export const safeReturnPath = (path: unknown): string | null =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) && path !== '/' && !NO_RETURN.test(path) ? path : null;
