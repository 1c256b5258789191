/** The six zones that the specification labels; IANA names, so that daylight saving is right. Without zod, for the browser. */
export const TIME_ZONE_LABELS = {
  'New York': 'America/New_York',
  Chicago: 'America/Chicago',
  Denver: 'America/Denver',
  'Los Angeles': 'America/Los_Angeles',
  Anchorage: 'America/Anchorage',
  Honolulu: 'Pacific/Honolulu',
} as const;
