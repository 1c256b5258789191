import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { setOnPaper } from './format/date.ts';

/** The current time, updated every minute, for "18 min ago", and when the page is printed, for times as paper needs them. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const update = (): void => setNow(new Date());
    const timer = setInterval(update, 60_000);
    const turn = ({ type }: Event): void => {
      setOnPaper(type === 'beforeprint');
      // The browser lays out the sheets right after this event.
      flushSync(update);
    };
    window.addEventListener('beforeprint', turn);
    window.addEventListener('afterprint', turn);
    return () => {
      clearInterval(timer);
      window.removeEventListener('beforeprint', turn);
      window.removeEventListener('afterprint', turn);
    };
  }, []);
  return now;
};
