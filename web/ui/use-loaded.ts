import { useEffect, useState } from 'react';

/** So that what the page shows first has the network to itself. */
const SPARE_TIME_AFTER = 2000;

/**
 * A part of the page that is loaded when it is wanted, or else, unless it is large and seldom used, in spare time, so that it is there without a network too; null until
 * then. (React's lazy would hold back even a loaded part for some 300 ms the first time.)
 */
export const useLoaded = <T>(load: () => Promise<T>, wanted: boolean, inSpareTime = true): T | null => {
  const [loaded, setLoaded] = useState<T | null>(null);
  useEffect(() => {
    const start = (): void => {
      load().then(
        (part) => setLoaded(() => part),
        () => {}, // Offline: what needs it stays closed; the next visit tries again.
      );
    };
    if (wanted) return start();
    if (!inSpareTime) return;
    const timer = setTimeout(start, SPARE_TIME_AFTER);
    return () => clearTimeout(timer);
  }, [load, wanted, inSpareTime]);
  return loaded;
};
