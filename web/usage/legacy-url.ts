/** The first segments of the addresses that an older product kept behind the hash. */
const LEGACY =
  /^#!?\/?((login|admit-site-message|usertype|password|email|registration|dashboard|hospital|notifications)([/?#].*)?)$/;

/**
 * Returns the path for a legacy hash such as `#/dashboard/home/inbox?p=2`; null for any other hash. Pages that have another name here lead to
 * it, and those that have none lead home: tokens of the older product and its numbers of notifications are not ours.
 */
export const legacyTarget = (hash: string): string | null => {
  const path = LEGACY.exec(hash)?.[1];
  return path
    ? `/${path
        .replace(/^usertype.*/, 'registration')
        .replace(/^password(?!\/set).*/, 'forgot-password')
        .replace(/^(email|admit|notifications(?!\/.{8}-)).*/, '')}`
    : null;
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
