import type { z } from 'zod';
import { isApplicationLocation, USAGE_EVENT_PARAMS, type usageEvent } from '#contract/usage.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { insertUsageEvent } from './queries.ts';

type UsageEvent = z.output<typeof usageEvent>;

/**
 * Stores a usage event. Throws BAD_REQUEST for a location or parameter that the contract does not list, because usage events must not
 * contain patient data other than ids.
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
    if (location !== null && !isApplicationLocation(location)) fields[key] = 'Not a tracked location.';
  }
  if (name === 'page-viewed' && currentLocation === null) fields['currentLocation'] = 'Not a tracked location.';
  const allowed: readonly string[] = USAGE_EVENT_PARAMS[name];
  for (const key of Object.keys(params)) {
    if (!allowed.includes(key)) fields['params'] = 'Not a parameter of this event.';
  }
  return fields;
}

/** Removes tokens, which legacy addresses contain in the query or in the path. */
const withoutSecrets = (path: string): string => (path.split('?')[0] ?? '').replace(/[\w-]{24,}/g, '…');
