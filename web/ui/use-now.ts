import { useEffect, useState } from 'react';
import { whenPrinting } from './use-printing.ts';

/** The current time, updated every minute, for "18 min ago", and when the page is printed, for times as paper needs them. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const update = (): void => setNow(new Date());
    const timer = setInterval(update, 60_000);
    const stop = whenPrinting(update);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  return now;
};
