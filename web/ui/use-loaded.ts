import { useEffect, useState } from 'react';

/** After what the page shows first, which has the network to itself. */
const SPARE_TIME_AFTER = 2000;

/**
 * A part of the page that is loaded when it is wanted, or else in spare time (`spare`: it has come), so that it is there without a
 * network too; null until then. (React's lazy would hold back even a loaded part for some 300 ms the first time.)
 */
export const useLoaded = <T>(load: () => Promise<T>, wanted: boolean, spare = true): T | null => {
  const [loaded, setLoaded] = useState<T | null>(null);
  const [came, come] = useState(spare);
  if (spare && !came) come(true);
  useEffect(() => {
    const start = (): void => {
      load().then(
        (part) => setLoaded(() => part),
        () => {}, // Offline: what needs it stays closed; the next visit tries again.
      );
    };
    if (wanted) return start();
    if (!came) return;
    const timer = setTimeout(start, SPARE_TIME_AFTER);
    return () => clearTimeout(timer);
  }, [load, wanted, came]);
  return loaded;
};
