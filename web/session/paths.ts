import type { User } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Session } from './session.ts';

const under =
  (page: string) =>
  ({ applicationExperience }: User): string =>
    `${experienceBase(applicationExperience)}/${page}`;

export const inboxPath = (user: User): string => {
  const base = experienceBase(user.applicationExperience);
  return base === '/ehr' ? '/ehr/inbox' : `${base}/home/inbox`;
};
/** The patient roster, which is a hospital's home page. */
export const patientsPath = (user: User): string => {
  const base = experienceBase(user.applicationExperience);
  return base === '/hospital' ? base : `${base}/patients/my-patients`;
};
/** The page of a patient. */
export const patientPath = (user: User, patientId: string): string => under(`patients/${patientId}`)(user);
export const lengthOfStayPath = under('length-of-stay');
export const eventFeedPath = under('event-feed');
export const preAdmitPath = under('pre-admit');
export const risingRiskPath = under('rising-risk');
export const spotlightsPath = under('analytics');
export const exportsPath = under('exports');
export const rostersPath = under('rosters');
export const feedsPath = under('feeds');
export const adminPath = under('admin');
export const profilePath = under('user-profile');
export const whatsNewPath = under('whats-new');

/** Opens every page of the hospital product. */
export const HOSPITAL: Permission = 'canViewHospitalProduct';

/** Marks a page as one that the user may not open, as opposed to one that doesn't exist. */
export const NO_ACCESS = 'no-access';

/** Returns the first page of the navigation that the user may open; without any, the page that says so. */
export const startPath = ({ user, can }: Pick<Session, 'user' | 'can'>): string => {
  const base = experienceBase(user.applicationExperience);
  const pings = [inboxPath(user), 'canViewPings'] as const;
  const launched = user.patientId
    ? (['canViewPatients', 'canViewPings'] as const).map((permission) => [homePath(user), permission] as const)
    : [];
  const patients = [patientsPath(user), 'canViewPatients'] as const;
  const pages: (readonly [string, Permission])[] = [
    ...(base === '/hospital' ? [patients, pings] : base === '/ehr' ? [...launched, pings] : [pings, patients]),
    [rostersPath(user), 'canUploadRoster'],
    [adminPath(user), 'canManageUsers'],
  ];
  const mayStart = base !== '/hospital' || can(HOSPITAL);
  return (mayStart && pages.find(([, permission]) => can(permission))?.[0]) || '/permissions-error';
};

/** Returns the home path of a user's experience. */
export const homePath = ({ applicationExperience, patientId }: User): string => {
  const base = experienceBase(applicationExperience);
  if (base !== '/ehr') return base;
  return patientId ? `/ehr/patients/${encodeURIComponent(patientId)}` : '/ehr/inbox';
};

/** Pages that nobody wants to return to after signing in. */
const NO_RETURN = /^\/(login|error|sso-timeout|permissions-error)\b/;
/** Where to go after signing in. `userId`: the only user who may; undefined for an address that anyone may have asked for. */
export interface ReturnPage {
  path: string | null;
  userId: string | undefined;
}
/** Returns the path for the user who has signed in; null if there is none, or it was another user's. */
export const returnPathFor = ({ path, userId }: ReturnPage, signedIn: string): string | null =>
  userId === undefined || userId === signedIn ? path : null;

/** Returns `path` if it is a page of this site to return to after signing in; null for anything else, such as another site. */
export const safeReturnPath = (path: unknown): string | null =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) && path !== '/' && !NO_RETURN.test(path) ? path : null;
