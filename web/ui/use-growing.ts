import { startTransition, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Returns how many of `total` parts to show: `first` at once, then more in steps that leave the page free for clicks in between, until all are
 * there. Printing waits for no step.
 */
export const useGrowing = (total: number, first: number, step: number): number => {
  const [count, setCount] = useState(first);
  const isDone = count >= total;
  useEffect(() => {
    if (isDone) return;
    const timer = setTimeout(() => startTransition(() => setCount(count + step)));
    return () => clearTimeout(timer);
  }, [isDone, count, step]);
  useEffect(() => {
    const showAll = (): void => flushSync(() => setCount(Number.POSITIVE_INFINITY));
    window.addEventListener('beforeprint', showAll);
    return () => window.removeEventListener('beforeprint', showAll);
  }, []);
  return Math.min(count, total);
};
