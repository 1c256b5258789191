import type { Clock } from '#server/platform/calendar/clock.ts';

/**
 * Returns a function that counts calls by key, such as an IP address, and returns false once a key has made more than `most` calls
 * in the current minute. Counts are in memory and per process: this protects the server and its tables, not an account.
 */
export function perMinute(most: number, clock: Clock): (key: string) => boolean {
  const counts = new Map<string, number>();
  let minute = 0;
  return (key) => {
    const now = Math.floor(clock().getTime() / 60_000);
    if (now !== minute) counts.clear();
    minute = now;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most;
  };
}
