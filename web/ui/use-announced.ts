import { useEffect, useRef } from 'react';
import { announce } from './announcer.tsx';

/** Made once: `toLocaleString` would make one for each number. */
const numbers = new Intl.NumberFormat('en-US');

/** "1 patient", "1,204 patients". */
export const counted = (total: number, one: string, many: string): string =>
  `${numbers.format(total)} ${total === 1 ? one : many}`;

/** Announces the number of entries when it changes. The first number is not announced: the page states it. Neither is one that is still counted. */
export const useAnnounced = (
  page: { data: { total: number; isCounting?: boolean | undefined } | undefined; isPlaceholderData: boolean },
  one: string,
  many: string,
): void => {
  const total = page.isPlaceholderData || page.data?.isCounting ? undefined : page.data?.total;
  const last = useRef<number>(undefined);
  useEffect(() => {
    if (total === undefined) return;
    if (last.current !== undefined && last.current !== total) announce(counted(total, one, many));
    last.current = total;
  }, [total, one, many]);
};
