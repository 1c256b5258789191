import type { z } from 'zod';
import {
  isApplicationLocation,
  USAGE_EVENT_NAMES,
  USAGE_EVENT_PARAMS,
  type UsageEventName,
  type usageEvent,
  usageEventParam,
} from '#contract/usage.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { countPageUse, insertUsageEvent } from './queries.ts';

type UsageEvent = z.output<typeof usageEvent>;

/**
 * Stores a usage event, and counts an opened page for the report of page use. Usage events must not contain patient data other than ids, so only
 * what the contract lists is kept: an event of another name is "other", and other locations and parameters are dropped.
 */
export async function trackUsage(
  db: Queryable,
  { teamId, ...who }: { userId: string | null; username: string; teamId: string | null },
  event: UsageEvent,
  now: Date,
): Promise<void> {
  const { name: given, username: _, routes, currentLocation, previousLocation, params, ...detail } = event;
  const name = USAGE_EVENT_NAMES.find((known) => known === given) ?? 'other';
  const location = trackedLocation(currentLocation);
  const kept = {
    ...detail,
    currentLocation: location,
    previousLocation: trackedLocation(previousLocation),
    routes: (name === 'legacy-url-redirected' && routes?.map(withoutSecrets)) || null,
    params: name === 'other' ? {} : listedParams(name, params),
  };
  await insertUsageEvent(db, { ...who, name, detail: kept }, now);
  const { userId } = who;
  if (name !== 'page-viewed' || location === null || userId === null) return;
  await countPageUse(db, { userId, teamId, location, day: dayIn(event.timezone ?? 'UTC', now) }, now);
}

/** The day in the browser's time zone, or in UTC if we don't know that. */
function dayIn(timeZone: string, now: Date): string {
  try {
    return localDateOf(now.getTime(), timeZone);
  } catch {
    return localDateOf(now.getTime(), 'UTC');
  }
}

const trackedLocation = (location: string | null | undefined): string | null =>
  location != null && isApplicationLocation(location) ? location : null;

function listedParams(name: UsageEventName, params: UsageEvent['params']): Record<string, unknown> {
  const listed: readonly string[] = USAGE_EVENT_PARAMS[name];
  const isKept = ([key, value]: [string, unknown]) => listed.includes(key) && usageEventParam.safeParse(value).success;
  return Object.fromEntries(Object.entries(params).filter(isKept));
}

/** Removes tokens, which legacy addresses contain in the query or in the path. */
const withoutSecrets = (path: string): string => (path.split('?')[0] ?? '').replace(/[\w-]{24,}/g, '…');
