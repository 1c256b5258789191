/** Who may open which page: what the routes ask before they load anything. */
import { type HistoryState, notFound, type ParsedLocation, redirect } from '@tanstack/react-router';
import type { Me, User } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import type { Permission } from '#contract/permissions.ts';
import { queryClient } from '../api/query-client.ts';
import { openInFull } from '../session/ehr-frame.ts';
import {
  homePath,
  inboxPath,
  lacksClinicalSetting,
  meQuery,
  safeReturnPath,
  selectedTeam,
  startPath,
} from '../session/session.ts';

/** Where the screens of an experience are. */
export type Base = '/dashboard' | '/hospital' | '/ehr';

interface Asked {
  location: ParsedLocation;
}

const me = () => queryClient.ensureQueryData(meQuery);
/** Whether the user holds a flag in the selected team; nobody, while nobody is signed in. */
const mayOf = (current: Me | null) => {
  const held = current && selectedTeam(current)?.permissions;
  return (flag: Permission): boolean => held?.includes(flag) ?? false;
};

/** Pages that have to stand without a server. */
const STANDS_ALONE = new Set(['/error', '/permissions-error']);
/** Nothing is rendered before it is known who is there, except on pages that stand alone. */
export const knowUser = async ({ location }: Asked): Promise<void> => {
  if (!STANDS_ALONE.has(location.pathname)) await me();
};

/** Where a signed-in user goes on: what was asked for before, or home. */
const onward = (user: User, state: HistoryState, search: object): never => {
  const asked = safeReturnPath(state.returnTo) ?? safeReturnPath('nextPathName' in search ? search.nextPathName : null);
  throw redirect({ to: asked ?? homePath(user), replace: true });
};
/** Signing in: nothing for those who are signed in. */
export const onwardIfSignedIn = async ({ location }: Asked): Promise<void> => {
  const current = await me();
  if (current) onward(current.user, location.state, location.search);
};

/** The registration does not exist for whom another system registers. */
export const mayRegister = async (): Promise<void> => {
  const current = await me();
  if (current?.user.isSSO && current.user.isAuth0) throw notFound();
};

/** Lets only those in who are signed in. */
export const mustBeSignedIn = async (): Promise<void> => {
  if (!(await me())) throw redirect({ to: '/login', replace: true });
};

/** A session that has ended elsewhere: refreshed, and it is there again. */
export const homeIfSignedIn = async (): Promise<void> => {
  const current = await me();
  if (current) throw redirect({ to: homePath(current.user), replace: true });
};

/** The bare address: home, or to the sign-in. */
export const toHome = async ({ search }: { search: object }): Promise<never> => {
  if ('fullApp' in search) openInFull();
  const current = await me();
  throw redirect({ to: current ? homePath(current.user) : '/login', replace: true });
};

/** Lets only those in who are signed in, have a team and have said in which setting they work. */
export const mustHaveTeam = async ({ location }: Asked): Promise<void> => {
  const current = await me();
  const state = { returnTo: location.href };
  if (!current) throw redirect({ to: '/login', state, replace: true });
  if (!selectedTeam(current)) throw redirect({ to: '/permissions-error', replace: true });
  if (lacksClinicalSetting(current.user)) throw redirect({ to: '/primary-clinical-setting', state, replace: true });
};

/** Sends the user to the first page that he or she may open. */
export const toStart = async (): Promise<never> => {
  const current = await me();
  const to = current ? startPath({ user: current.user, can: mayOf(current) }) : '/login';
  throw redirect({ to, replace: true });
};

/** Lets only those in whose experience the page is and who hold all flags. */
export type Inside = (...flags: Permission[]) => () => Promise<void>;

/**
 * To the users of another experience its screens do not exist; who lacks the permission reads the page that says so (specification,
 * first file, section 8, "Missing permissions").
 */
export const insideOf =
  (base: Base): Inside =>
  (...flags) =>
  async () => {
    const current = await me();
    if (current && experienceBase(current.user.applicationExperience) !== base) throw notFound();
    if (!flags.every(mayOf(current))) throw redirect({ to: '/permissions-error', replace: true });
  };

/** A page that is its experience's home too: who lacks the flag begins elsewhere. */
export const homeOf = (inside: Inside, flag: Permission) => async (): Promise<void> => {
  await inside()();
  if (!mayOf(await me())(flag)) await toStart();
};

/** The paths that the specification names without a base go to the user's own. */
export const toOwnBase = async ({ location }: Asked): Promise<never> => {
  const current = await me();
  if (!current) throw notFound();
  const base = experienceBase(current.user.applicationExperience);
  throw redirect({ to: base + location.pathname, search: location.search, replace: true });
};

/** The same for the inbox, which the experiences have at different places. */
export const toOwnInbox = async ({ location }: Asked): Promise<never> => {
  const current = await me();
  if (!current) throw notFound();
  const to = inboxPath(current.user) + location.pathname.slice('/inbox'.length);
  throw redirect({ to, search: location.search, replace: true });
};
