import type { z } from 'zod';
import { type filterPreview, PREVIEW_DAYS } from '#contract/saved-filters.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { checkFilter } from './check.ts';

/**
 * How many pings of the groups in `parameters.visibleTo` were created since then and match the parameters, and of how many different
 * persons they are. The read model answers it.
 */
export type CountEvents = (
  actor: Actor,
  parameters: SearchParameters,
  createdSince: Date,
) => Promise<{ pings: number; patients: number }>;

const DAY = 24 * 60 * 60 * 1000;

/**
 * How many pings a filter would have brought in the last 30 times 24 hours: to the groups of `visibleTo` for which the actor may see
 * pings, or all of them. Errors: BAD_REQUEST with fields.
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
  // To a search no group at all means every group.
  if (visibleTo.length === 0) return { days: PREVIEW_DAYS, pings: 0, patients: 0 };
  const since = new Date(now.getTime() - PREVIEW_DAYS * DAY);
  const { pings, patients } = await countEvents(actor, { ...parameters, visibleTo }, since);
  return { days: PREVIEW_DAYS, pings, patients };
}
