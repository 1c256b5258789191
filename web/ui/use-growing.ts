import { startTransition, useEffect, useState } from 'react';
import { usePrinting } from './use-printing.ts';

/**
 * Returns how many of `total` parts to show: `first` at once, then more in steps that leave the page free for clicks in between, until all are
 * there. Printing waits for no step.
 */
export const useGrowing = (total: number, first: number, step: number): number => {
  const [count, setCount] = useState(first);
  const printing = usePrinting();
  const isDone = count >= total;
  useEffect(() => {
    if (isDone) return;
    const timer = setTimeout(() => startTransition(() => setCount(count + step)));
    return () => clearTimeout(timer);
  }, [isDone, count, step]);
  return printing ? total : Math.min(count, total);
};
