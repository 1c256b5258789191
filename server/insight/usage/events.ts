import type { z } from 'zod';
import { isApplicationLocation, USAGE_EVENT_PARAMS, type usageEvent } from '#contract/usage.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { countPageUse, insertUsageEvent } from './queries.ts';

type UsageEvent = z.output<typeof usageEvent>;

/**
 * Stores a usage event, and counts an opened page for the report of page use. Throws BAD_REQUEST for a location or parameter that the contract does not list, because usage events must not
 * contain patient data other than ids.
 */
export async function trackUsage(
  db: Queryable,
  { teamId, ...who }: { userId: string | null; username: string; teamId: string | null },
  event: UsageEvent,
  now: Date,
): Promise<void> {
  const fields = refusedFields(event);
  if (Object.keys(fields).length > 0) throw new ApiError('BAD_REQUEST', { fields });
  const { name, username: _, routes, ...detail } = event;
  const kept = { ...detail, routes: routes?.map(withoutSecrets) ?? null };
  await insertUsageEvent(db, { ...who, name, detail: kept }, now);
  const { userId } = who;
  const location = event.currentLocation;
  if (name !== 'page-viewed' || location === null || userId === null) return;
  await countPageUse(db, { userId, teamId, location, day: dayIn(event.timezone, now) }, now);
}

/** The day in the browser's time zone, or in UTC if we don't know that. */
function dayIn(timeZone: string, now: Date): string {
  try {
    return localDateOf(now.getTime(), timeZone);
  } catch {
    return localDateOf(now.getTime(), 'UTC');
  }
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
