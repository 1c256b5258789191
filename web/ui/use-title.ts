import { useEffect } from 'react';

/** "Pings (12 new) · Tidings". Never anything about a patient. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Tidings`;
  }, [title]);
};
