import type { z } from 'zod';
import { isApplicationLocation, USAGE_EVENT_PARAMS, type usageEvent } from '#contract/usage.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { insertUsageEvent } from './queries.ts';

type UsageEvent = z.output<typeof usageEvent>;

/**
 * Keeps a usage event. Throws BAD_REQUEST for a location or a param that the contract does not list: what is kept here names users
 * and screens, and nothing of a patient but ids.
 */
export async function trackUsage(
  db: Queryable,
  who: { userId: string | null; username: string },
  event: UsageEvent,
  now: Date,
): Promise<void> {
  const fields = refusedFields(event);
  if (Object.keys(fields).length > 0) throw new ApiError('BAD_REQUEST', { fields });
  const { name, username: _, routes, ...detail } = event;
  const kept = { ...detail, routes: routes?.map(withoutSecrets) ?? null };
  await insertUsageEvent(db, { ...who, name, detail: kept }, now);
}

function refusedFields({ name, currentLocation, previousLocation, params }: UsageEvent): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [key, location] of Object.entries({ currentLocation, previousLocation })) {
    if (location !== null && !isApplicationLocation(location)) fields[key] = 'This is none of the tracked locations.';
  }
  const allowed: readonly string[] = USAGE_EVENT_PARAMS[name];
  for (const key of Object.keys(params)) {
    if (!allowed.includes(key)) fields['params'] = 'A param is not one of those that this event has.';
  }
  return fields;
}

/** Legacy addresses carried tokens, in a query or as a part of the path. */
const withoutSecrets = (path: string): string => (path.split('?')[0] ?? '').replace(/[\w-]{24,}/g, '…');
