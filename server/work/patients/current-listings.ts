/**
 * Which of a person's listings count when several groups list the person. What a group said counts while it lists the person; only if no
 * group does any more, the earlier listings count. `hasLeft`: whether the person has left that group's list.
 */

/** Returns the listings whose details count. */
export function currentListings<L>(listings: readonly L[], hasLeft: (listing: L) => boolean): readonly L[] {
  const current = listings.filter((listing) => !hasLeft(listing));
  return current.length > 0 ? current : listings;
}

/** Returns the first listing that counts, such as the one whose address is shown. */
export const firstCurrent = <L>(listings: readonly L[], hasLeft: (listing: L) => boolean): L | undefined =>
  listings.find((listing) => !hasLeft(listing)) ?? listings[0];
