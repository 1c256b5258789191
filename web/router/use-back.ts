import { useEffect, useRef } from 'react';
import { useRouter } from './hooks.ts';

/** While a layer lies over the page, Back closes it, or has it ask, instead of leaving the page: on a phone the layer is the page. */
export const useBack = (close: () => void, isLayer = true): void => {
  const { history } = useRouter();
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!isLayer) return;
    return history.block(
      ({ isMove }) => {
        if (isMove) latest.current();
        return !isMove;
      },
      { isLayer: true },
    );
  }, [history, isLayer]);
};
