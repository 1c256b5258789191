import type { LegacyRedirect } from '../usage/follow.ts';

/** First segments of the addresses that an older product kept behind the hash. */
const SEGMENTS = [
  'login',
  'admit-site-message',
  'usertype',
  'password',
  'email',
  'registration',
  'dashboard',
  'hospital',
  'notifications',
];

/** Returns the path for a legacy hash such as `#/dashboard/home/inbox?p=2`; null for any other hash. */
export const legacyTarget = (hash: string): string | null => {
  const [, path] = /^#!?\/?(.*)$/.exec(hash) ?? [];
  const [first] = (path ?? '').split(/[/?#]/);
  return path && first && SEGMENTS.includes(first) ? `/${path}` : null;
};

/** Rewrites a legacy address before anything reads it; returns what to record, or null. */
export const rewriteLegacyUrl = ({ hash, pathname }: Location): LegacyRedirect | null => {
  const target = legacyTarget(hash);
  if (!target) return null;
  history.replaceState(null, '', target);
  const { pathname: to, searchParams } = new URL(target, location.origin);
  return { routes: [`${pathname}#${to}`.slice(0, 200), to.slice(0, 200)], username: searchParams.get('username') };
};
