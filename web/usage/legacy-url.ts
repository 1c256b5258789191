/** The older product kept its addresses behind the hash. They began with one of these. */
const LEGACY =
  /^#!?\/?((login|admit-site-message|usertype|password|email|registration|dashboard|hospital|notifications).*)$/;

/** Returns the path, query and hash of a legacy hash such as `#/dashboard/home/inbox?p=2`; null for any other hash. */
export const legacyTarget = (hash: string): string | null => {
  const path = LEGACY.exec(hash)?.[1];
  return path ? `/${path}` : null;
};

/** An address of the older product, as it was, and what it was rewritten to. */
export type LegacyRedirect = [from: string, to: string];

/** Rewrites a legacy address; returns what to record, or null for any other address. */
export const rewriteLegacyUrl = ({ hash, href }: Location): LegacyRedirect | null => {
  const target = legacyTarget(hash);
  if (!target) return null;
  history.replaceState(null, '', target);
  return [href, target];
};
