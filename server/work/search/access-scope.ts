/**
 * What a store of the read model holds: what an actor with these rights may see, and nothing else (docs/decisions/0018). Values that
 * are merged over groups hold none of a group for which the right is missing, so no count can tell of it.
 */
import { FACET_NAMES, type Facet, facetDefinition, type SearchContext } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Actor } from '#server/people/access/actor.ts';

export interface AccessScope {
  /** For which the actor holds the list's flag; in the order of their ids. */
  readonly groupIds: readonly string[];
  /** Flags of facets that the actor holds for a part of these groups only, with that part. */
  readonly parts: Readonly<Partial<Record<Permission, readonly string[]>>>;
}

/** The flag that opens each list. */
export const LIST_PERMISSIONS = {
  ALL: 'canViewPatients',
  PINGS: 'canViewPings',
  EVENTS: 'canViewEventFeed',
} as const satisfies Record<SearchContext, Permission>;

/** Beside its facets: a text is looked up among the identifiers of these groups alone. */
export const IDENTIFIERS_PERMISSION: Permission = 'canViewAllPatientDetails';

const FACET_PERMISSIONS: readonly Permission[] = [
  ...new Set([...FACET_NAMES.flatMap((facet) => facetDefinition(facet).permission ?? []), IDENTIFIERS_PERMISSION]),
].sort();

export function scopeOf(actor: Actor, context: SearchContext): AccessScope {
  const groupIds = actor.groupsWith(LIST_PERMISSIONS[context]).toSorted((a, b) => Number(BigInt(a) - BigInt(b)));
  const parts: Partial<Record<Permission, readonly string[]>> = {};
  for (const flag of FACET_PERMISSIONS) {
    const part = partOf(actor, groupIds, flag);
    // Without the flag a facet is not answered at all, so its values may as well be there: one store serves both.
    if (part.length < groupIds.length && (part.length > 0 || flag === IDENTIFIERS_PERMISSION)) parts[flag] = part;
  }
  return { groupIds, parts };
}

/** Equal for those who share a store. */
export const scopeKey = ({ groupIds, parts }: AccessScope): string => JSON.stringify([groupIds, parts]);

/** Whether the actor may filter by a facet and see its counts. */
export function mayUseFacet(actor: Actor, { groupIds }: AccessScope, facet: Facet): boolean {
  const { permission } = facetDefinition(facet);
  return permission === undefined || partOf(actor, groupIds, permission).length > 0;
}

function partOf(actor: Actor, groupIds: readonly string[], flag: Permission): string[] {
  return groupIds.filter((id) => actor.permissions.get(id)?.has(flag));
}
