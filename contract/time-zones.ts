/**
 * The time zones to choose from. IANA names rather than offsets, so that daylight saving time is right. This file does not import
 * zod, which keeps it out of the browser's bundle.
 */
export const TIME_ZONE_LABELS = {
  'New York': 'America/New_York',
  Chicago: 'America/Chicago',
  Denver: 'America/Denver',
  'Los Angeles': 'America/Los_Angeles',
  Anchorage: 'America/Anchorage',
  Honolulu: 'Pacific/Honolulu',
} as const;

/** Returns whether Intl knows the IANA zone, such as 'America/New_York'. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
