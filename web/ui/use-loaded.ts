import { useEffect, useState } from 'react';

/** The page's own content loads first. In milliseconds. */
const SPARE_TIME_AFTER = 2000;

/** Parts that are loaded: who shows them again, of another patient perhaps, has them at once. */
const parts = new WeakMap<() => Promise<unknown>, unknown>();

/**
 * Loads a part of the page when it is `wanted`, or else in spare time (from when `spare` is true), so that it works offline too.
 * Returns null until then. (React's lazy delays even a loaded part by some 300 ms the first time.)
 */
export const useLoaded = <T>(load: () => Promise<T>, wanted: boolean, spare = true): T | null => {
  const [, showLoaded] = useState(() => parts.has(load));
  const [idle, setIdle] = useState(spare);
  if (spare && !idle) setIdle(true);
  useEffect(() => {
    if (parts.has(load)) return showLoaded(true);
    const start = (): void => {
      load().then(
        (part) => {
          parts.set(load, part);
          showLoaded(true);
        },
        () => {}, // Offline: the part stays closed, and the next visit tries again.
      );
    };
    if (wanted) return start();
    if (!idle) return;
    const timer = setTimeout(start, SPARE_TIME_AFTER);
    return () => clearTimeout(timer);
  }, [load, wanted, idle]);
  return (parts.get(load) as T | undefined) ?? null;
};
