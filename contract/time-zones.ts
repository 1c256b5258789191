/** The six zones that the specification labels; IANA names, so that daylight saving is right. Without zod, for the browser. */
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
