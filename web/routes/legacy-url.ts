/** First segments of the addresses that an older product kept behind the hash (specification, first file, section 2). */
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

/** The normal address of a legacy hash, `#/dashboard/home/inbox?p=2`; null for any other hash. */
export const legacyTarget = (hash: string): string | null => {
  const [, path] = /^#!?\/?(.*)$/.exec(hash) ?? [];
  const [first] = (path ?? '').split(/[/?#]/);
  return path && first && SEGMENTS.includes(first) ? `/${path}` : null;
};

export interface LegacyRedirect {
  /** Where from and where to; without queries, which may hold a mailed token. */
  routes: string[];
  username: string | null;
}

/** Puts a legacy address into its normal form before anything reads it; answers what to record. */
export const rewriteLegacyUrl = ({ hash, pathname }: Location): LegacyRedirect | null => {
  const target = legacyTarget(hash);
  if (!target) return null;
  history.replaceState(null, '', target);
  const { pathname: to, searchParams } = new URL(target, location.origin);
  return { routes: [`${pathname}#${to}`.slice(0, 200), to.slice(0, 200)], username: searchParams.get('username') };
};
