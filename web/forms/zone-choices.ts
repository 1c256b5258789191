import { TIME_ZONE_LABELS } from '#contract/time-zones.ts';

/** Returns "New York" for America/New_York, and the IANA name of a zone that we have no word for. */
export const zoneName = (zone: string): string =>
  Object.entries(TIME_ZONE_LABELS).find(([, value]) => value === zone)?.[0] ?? zone;

/** Returns the choices of a field: the six US zones by name, then every other zone that the browser knows. */
export const zoneChoices = (current: string) => {
  const named = Object.entries(TIME_ZONE_LABELS).map(([label, value]) => ({ value, label: `${label} (${value})` }));
  const known = new Set<string>(named.map(({ value }) => value));
  const rest = [...new Set([...Intl.supportedValuesOf('timeZone'), current])].filter(
    (zone) => zone && !known.has(zone),
  );
  return [...named, ...rest.sort().map((zone) => ({ value: zone, label: zone }))];
};
