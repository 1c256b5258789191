import type { ActorTransaction } from '#server/people/access/door.ts';
import { administersListing, evidenceOfVisit, type LinkRow } from './queries.ts';

/** How the record of a visit and a listing that a ping was sent to came to be one person. */
export interface MatchOfPing {
  encounterId: string;
  listingId: string;
  link: LinkRow | null;
}

/**
 * Whether the matcher joined the two, and the actor administers the one that came later: its link alone is taken back, and who administers it decides,
 * as in a match review. In a transaction for canManageUsers.
 */
export async function mayTakeApart(
  tx: ActorTransaction,
  { encounterId, listingId, link }: MatchOfPing,
): Promise<boolean> {
  if (link?.outcome !== 'matched') return false;
  return link.isListing ? administersListing(tx, listingId) : (await evidenceOfVisit(tx, encounterId)) !== null;
}
