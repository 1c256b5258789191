/**
 * The access scope of a search store: it holds exactly what an actor with these permissions may see (docs/decisions/0018). Values that are
 * merged from several groups leave out the groups without the permission, so that no count reveals them.
 */
import { FACET_NAMES, type Facet, facetDefinition, type SearchContext } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

export interface AccessScope {
  /** The team whose own tags are among the values. */
  readonly teamId: string;
  /** The groups for which the actor holds the list's permission, ordered by id. */
  readonly groupIds: readonly string[];
  /** Facet permissions that the actor holds for only some of these groups, with those groups. */
  readonly partialGrants: Readonly<Partial<Record<Permission, readonly string[]>>>;
}

/** The permission that opens each list. */
export const LIST_PERMISSIONS = {
  ALL: 'canViewPatients',
  PINGS: 'canViewPings',
  EVENTS: 'canViewEventFeed',
} as const satisfies Record<SearchContext, Permission>;

/** Checks that the actor may open a list; throws NOT_PERMITTED. */
export function assertMayList(actor: Actor, context: SearchContext): void {
  if (!actor.can(LIST_PERMISSIONS[context])) throw new ApiError('NOT_PERMITTED');
}

/** Besides its facets, it limits text search: identifiers are searched only in the groups for which the actor holds it. */
export const IDENTIFIERS_PERMISSION: Permission = 'canViewAllPatientDetails';

/** Permissions that limit values of facets which need none themselves: without them, a store must not hold these values. */
const VALUE_PERMISSIONS: ReadonlySet<Permission> = new Set([
  IDENTIFIERS_PERMISSION,
  // Of "Patient Story Information".
  'canViewCcds',
  'canViewCcdDischargeInfo',
  'canViewDischargeSummaries',
  'canViewCarePlans',
]);

const FACET_PERMISSIONS: readonly Permission[] = [
  ...new Set([...FACET_NAMES.flatMap((facet) => facetDefinition(facet).permission ?? []), ...VALUE_PERMISSIONS]),
].sort();

/** Returns the access scope of an actor in one of the lists. */
export function scopeOf(actor: Actor, context: SearchContext): AccessScope {
  const groupIds = actor.groupsWith(LIST_PERMISSIONS[context]).toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
  const partialGrants: Partial<Record<Permission, readonly string[]>> = {};
  for (const permission of FACET_PERMISSIONS) {
    const granted = groupsWithin(actor, groupIds, permission);
    // An actor without the permission never gets the facet, so the store may hold its values and be shared with actors who do.
    if (granted.length < groupIds.length && (granted.length > 0 || VALUE_PERMISSIONS.has(permission)))
      partialGrants[permission] = granted;
  }
  return { teamId: actor.teamId, groupIds, partialGrants };
}

/** Returns the key of a store: actors with equal keys share it. */
export const scopeKey = ({ teamId, groupIds, partialGrants }: AccessScope): string =>
  JSON.stringify([teamId, groupIds, partialGrants]);

/** Returns whether the actor may filter by a facet and see its counts. */
export function mayUseFacet(actor: Actor, { groupIds }: AccessScope, facet: Facet): boolean {
  const { permission } = facetDefinition(facet);
  return permission === undefined || groupsWithin(actor, groupIds, permission).length > 0;
}

function groupsWithin(actor: Actor, groupIds: readonly string[], permission: Permission): string[] {
  return groupIds.filter((id) => actor.permissions.get(id)?.has(permission));
}
