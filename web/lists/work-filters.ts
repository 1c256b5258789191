/** The filters of the inbox by who has taken a stay and whether it waits, in words. */
const OWNER_WORDS: Record<string, string> = { mine: 'Owner: Mine', none: 'Owner: Unassigned' };
export const WAITING_WORDS = { hide: 'Not waiting', only: 'Waiting' };

/** Returns the filter by owner in words. */
export const ownerWords = (owner: string): string => OWNER_WORDS[owner] ?? 'Owner: a colleague';

/** As the address has them. */
export interface WorkFilters {
  owner?: string;
  waiting?: keyof typeof WAITING_WORDS;
}
