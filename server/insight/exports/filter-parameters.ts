import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { findFilter } from '#server/work/saved-filters/queries.ts';
import { readStored } from '#server/work/saved-filters/stored.ts';
import { DEFAULT_PARAMETERS } from '#server/work/search/search.ts';

/** Returns the name of a saved filter that the actor may use; null if there is none anymore. */
export const nameOfFilter = async (db: Database, actor: Actor, filterId: string): Promise<string | null> =>
  (await findFilter(db, actor, filterId))?.name ?? null;

/**
 * Returns what a saved filter searches for; without one, everyone. Errors: NOT_FOUND for a filter of someone else; NOT_PERMITTED for one with values
 * that the actor may no longer use, without which it would match more.
 */
export async function parametersOf(
  db: Database,
  actor: Actor,
  filterId: string | undefined,
): Promise<SearchParameters> {
  if (filterId === undefined) return DEFAULT_PARAMETERS;
  const filter = await findFilter(db, actor, filterId);
  if (filter === null) throw new ApiError('NOT_FOUND');
  const { parameters, ignoredFacets } = readStored(filter.parameters, actor);
  if (ignoredFacets.length > 0) throw new ApiError('NOT_PERMITTED');
  return parameters;
}
