import { useEffect, useRef } from 'react';
import { counted } from '#contract/counted.ts';
import { announce } from './announcer.tsx';

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
