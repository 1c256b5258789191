import { parametersOf } from '#server/insight/exports/filter-parameters.ts';
import { listKeys } from '#server/insight/exports/list-keys.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { LIST_PERMISSIONS } from '#server/work/search/access-scope.ts';
import { DEFAULT_PARAMETERS, type SearchDeps } from '#server/work/search/search.ts';

/**
 * Returns the people whom a saved filter finds on the list of patients, by id. Errors: NOT_PERMITTED without canViewPatients, and as
 * `parametersOf` and `listKeys`.
 */
export async function peopleFoundBy(deps: SearchDeps, actor: Actor, filterId: string, now: Date): Promise<string[]> {
  if (!actor.can(LIST_PERMISSIONS.ALL)) throw new ApiError('NOT_PERMITTED');
  const { userDefinedFacetPreferences, visibleTo, ignoredPatientIds } = await parametersOf(deps.db, actor, filterId);
  const parameters = {
    ...DEFAULT_PARAMETERS,
    userDefinedFacetPreferences,
    ...(visibleTo?.length ? { visibleTo } : {}),
    ...(ignoredPatientIds?.length ? { ignoredPatientIds } : {}),
  };
  // The key of a row of this list is its person.
  const keys = await listKeys(deps, { actor, context: 'ALL', parameters, now, after: null });
  return keys.map(String);
}
