/** Guards of the routes: who may open which page. They run before anything of the page loads. */

import type { Me, User } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import type { Permission } from '#contract/permissions.ts';
import { isUnavailable } from '../api/error.ts';
import { queryClient } from '../api/query-client.ts';
import type { HistoryState } from '../router/history.ts';
import { notFound, type ParsedLocation, redirect } from '../router/routes.ts';
import { lacksClinicalSetting } from '../session/clinical-setting.ts';
import { takeReturnPath } from '../session/drafts.ts';
import { openFullApp } from '../session/ehr-frame.ts';
import {
  HOSPITAL,
  homePath,
  inboxPath,
  NO_ACCESS,
  returnPathFor,
  safeReturnPath,
  startPath,
} from '../session/paths.ts';
import { meQuery, selectedTeam, userOfDocument } from '../session/queries.ts';
import { isRefreshingRights } from '../session/refreshing-rights.ts';
import { wasReloaded } from '../session/was-reloaded.ts';
import { hasConfinedWidget, maySeePatients } from '../support/patient-pages.ts';

/** The base of an experience's paths. */
export type Base = '/dashboard' | '/hospital' | '/ehr';

interface Requested {
  location: ParsedLocation;
}

const fetchMe = () => queryClient.ensureQueryData(meQuery);

/** Returns whether the user holds a permission in the selected team; false while signed out. */
const permissionCheck = (me: Me | null) => {
  const held = me && selectedTeam(me)?.permissions;
  return (permission: Permission): boolean => held?.includes(permission) ?? false;
};

/**
 * Reloads a page with patients if this document has a support widget that may not be there. A script cannot be taken out of a document, so
 * what it watches ends only with the document.
 */
export const leaveWidget = async ({ location }: Requested): Promise<void> => {
  if (!hasConfinedWidget() || !maySeePatients(location.pathname)) return;
  window.location.assign(location.href);
  await new Promise(() => {});
};

/** Pages that must work without a server, and registration, which starts as if no one were signed in. */
const NEED_NO_USER = new Set(['/error', '/permissions-error', '/registration']);
/** Loads the current user before anything is rendered, except on pages that need none. */
export const loadUser = async ({ location }: Requested): Promise<void> => {
  if (NEED_NO_USER.has(location.pathname)) return;
  await fetchMe().catch((error: unknown) => {
    throw isUnavailable(error) ? redirect({ to: '/error' }) : error;
  });
};

/** Sends a signed-in user to the page that was requested before, or home. */
const goOnward = (user: User, state: HistoryState, search: object): never => {
  const path = safeReturnPath(state.returnTo) ?? safeReturnPath('nextPathName' in search ? search.nextPathName : null);
  const requested = returnPathFor({ path, userId: state.returnFor }, user.id);
  throw redirect({ to: requested ?? homePath(user) });
};
/** For sign-in, which signed-in users skip. */
export const onwardIfSignedIn = async ({ location }: Requested): Promise<void> => {
  const me = await fetchMe();
  if (me) goOnward(me.user, location.state, location.search);
};

/** Registration doesn't exist for users whose accounts come from an external identity provider. */
export const mayRegister = (): void => {
  const me = queryClient.getQueryData(meQuery.queryKey);
  if (me?.user.isSSO && me.user.isAuth0) throw notFound();
};

/** The page to return to after sign-in. */
const returningTo = ({ href }: ParsedLocation): HistoryState => {
  const userId = userOfDocument();
  // In a document that has shown a user's pages, an address from its history is that user's.
  return { returnTo: href, ...(userId === null ? {} : { returnFor: userId }) };
};

export const requireSignIn = async ({ location }: Requested): Promise<void> => {
  if (!(await fetchMe())) throw redirect({ to: '/login', state: returningTo(location) });
};

/** For the timeout page: once the other system has renewed the session, reloading the page leads home. Opened by its address, it stays. */
export const homeIfRenewed = async (): Promise<void> => {
  if (!wasReloaded()) return;
  const me = await fetchMe();
  if (me) throw redirect({ to: homePath(me.user) });
};

/** The root path leads home, or to sign-in. */
export const goHome = async ({ search }: { search: object }): Promise<never> => {
  if ('fullApp' in search) openFullApp();
  const me = await fetchMe();
  if (!me) throw redirect({ to: '/login' });
  throw redirect({ to: safeReturnPath(takeReturnPath()) ?? homePath(me.user) });
};

/** Requires sign-in, a team and, in experiences that have one, a primary clinical setting. */
export const requireTeam = async ({ location }: Requested): Promise<void> => {
  const me = await fetchMe();
  const state = returningTo(location);
  if (!me) throw redirect({ to: '/login', state });
  if (!selectedTeam(me)) throw redirect({ to: '/permissions-error' });
  if (lacksClinicalSetting(me.user)) throw redirect({ to: '/primary-clinical-setting', state });
};

/** Redirects to the first page that the user may open. */
export const goToStart = async (): Promise<never> => {
  const me = await fetchMe();
  const to = me ? startPath({ user: me.user, can: permissionCheck(me) }) : '/login';
  throw redirect({ to });
};

/** Returns a guard that requires the experience, and all of the permissions; of a list, one is enough. */
export type GuardByPermission = (...permissions: (Permission | readonly Permission[])[]) => () => Promise<void>;

/**
 * Says, in place of the page, that the user may not open it; if the permission was taken away from an open page, redirects to a page that they
 * may open. Users who may open nothing get the page about missing permissions, and so do users inside an EHR, whose frame has no navigation.
 */
const refusePermission = (me: Me | null): never => {
  const start = me ? startPath({ user: me.user, can: permissionCheck(me) }) : '/permissions-error';
  if (start === '/permissions-error' || isRefreshingRights()) throw redirect({ to: start });
  if (me && experienceBase(me.user.applicationExperience) === '/ehr') throw redirect({ to: '/permissions-error' });
  throw notFound({ data: NO_ACCESS });
};

/** To users of another experience these pages don't exist; users without the permission are told that they may not open them. */
export const guardFor =
  (base: Base): GuardByPermission =>
  (...permissions) =>
  async () => {
    const me = await fetchMe();
    if (me && experienceBase(me.user.applicationExperience) !== base) throw notFound();
    const can = permissionCheck(me);
    const needed = base === '/hospital' && permissions.length > 0 ? [HOSPITAL, ...permissions] : permissions;
    if (!needed.every((any) => [any].flat().some(can))) refusePermission(me);
  };

/** For the hospital's roster, which is also its home: without the permission, users start on another page. */
export const startUnlessPermitted = (guard: GuardByPermission, permission: Permission) => async (): Promise<void> => {
  await guard()();
  if (![HOSPITAL, permission].every(permissionCheck(await fetchMe()))) await goToStart();
};

/** Redirects a path without a base to the base of the user's experience. */
export const goToOwnBase = async ({ location }: Requested): Promise<never> => {
  const me = await fetchMe();
  if (!me) throw notFound();
  const base = experienceBase(me.user.applicationExperience);
  throw redirect({ to: base + location.pathname, search: location.search });
};

/** Redirects to the user's own inbox, whose path differs between experiences. */
export const goToOwnInbox = async ({ location }: Requested): Promise<never> => {
  const me = await fetchMe();
  if (!me) throw notFound();
  const to = inboxPath(me.user) + location.pathname.slice('/inbox'.length);
  throw redirect({ to, search: location.search });
};
