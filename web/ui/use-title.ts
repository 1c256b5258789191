import { useEffect } from 'react';

/** Sets the title of the page: "Pings (12 new) · Tidings". It must never name a patient. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Tidings`;
  }, [title]);
};
