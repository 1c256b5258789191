/** Filters about rising risk: notifications about these patients need canViewRisingRiskPatientNotifications besides the list's permission. */
import type { Facet, SearchContext } from '#contract/facets.ts';
import { RISK_FACETS } from '#contract/rising-risk-words.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { REPORT_PERMISSIONS } from './report-permissions.ts';

/** Condition on stored parameters: they filter by a facet of rising risk. */
export const isAboutRisk = (parameters: Sql): Sql =>
  sql`coalesce(${parameters} #> '{userDefinedFacetPreferences,preferenceMap}' ?| ${[...RISK_FACETS] satisfies Facet[]}::text[], false)`;

/** Returns the groups whose pings the filter may report to the actor. */
export function reportedGroups(actor: Actor, searchContext: SearchContext, aboutRisk: boolean): string[] {
  const groups = actor.groupsWith(REPORT_PERMISSIONS[searchContext]);
  if (!aboutRisk) return groups;
  const allowed = new Set(actor.groupsWith('canViewRisingRiskPatientNotifications'));
  return groups.filter((id) => allowed.has(id));
}
