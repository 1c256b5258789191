import { useEffect, useState } from 'react';

/**
 * A part of the page that loads after what is read first; null until then. (React's lazy would hold back even a loaded part for
 * some 300 ms the first time.)
 */
export const useLoaded = <T>(load: () => Promise<T>): T | null => {
  const [loaded, setLoaded] = useState<T | null>(null);
  useEffect(() => {
    load().then(
      (part) => setLoaded(() => part),
      () => {}, // Offline: what needs it stays closed; the next visit tries again.
    );
  }, [load]);
  return loaded;
};
