import type { z } from 'zod';
import { DAY } from '#contract/durations.ts';
import { type filterPreview, PREVIEW_DAYS } from '#contract/saved-filters.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { checkFilter } from './check.ts';

/**
 * Counts the pings that the groups in `parameters.visibleTo` got since then and that match the parameters, and the persons they are about.
 * Implemented by the search.
 */
export type CountEvents = (
  actor: Actor,
  parameters: SearchParameters,
  createdSince: Date,
) => Promise<{ pings: number; patients: number }>;

/**
 * Returns how many pings a filter would have found in the last 30 times 24 hours, in the groups of `visibleTo` whose pings the actor may
 * see, or in all of those. Errors: BAD_REQUEST with fields.
 */
export async function previewOf(
  countEvents: CountEvents,
  actor: Actor,
  parameters: SearchParameters,
  now: Date,
): Promise<z.infer<typeof filterPreview>> {
  checkFilter(actor, parameters);
  const own = actor.groupsWith('canViewPings');
  const wanted = parameters.visibleTo?.length ? new Set(parameters.visibleTo) : null;
  const visibleTo = wanted ? own.filter((id) => wanted.has(id)) : own;
  // An empty list of groups would mean every group to the search.
  if (visibleTo.length === 0) return { days: PREVIEW_DAYS, pings: 0, patients: 0 };
  const since = new Date(now.getTime() - PREVIEW_DAYS * DAY);
  const { pings, patients } = await countEvents(actor, { ...parameters, visibleTo }, since);
  return { days: PREVIEW_DAYS, pings, patients };
}
