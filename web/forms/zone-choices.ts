import { TIME_ZONE_LABELS } from '#contract/time-zones.ts';

/** Words for zones, by IANA name: "New York" for America/New_York. */
export const ZONE_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TIME_ZONE_LABELS).map(([label, zone]) => [zone, label]),
);

/** Returns the choices of a field: the six US zones by name, then every other zone that the browser knows. */
export const zoneChoices = (current: string) => {
  const named = Object.entries(TIME_ZONE_LABELS).map(([label, value]) => ({ value, label: `${label} (${value})` }));
  const known = new Set<string>(named.map(({ value }) => value));
  const rest = [...new Set([...Intl.supportedValuesOf('timeZone'), current])].filter(
    (zone) => zone && !known.has(zone),
  );
  return [...named, ...rest.sort().map((zone) => ({ value: zone, label: zone }))];
};
