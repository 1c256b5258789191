import { useCallback, useEffect, useRef } from 'react';
import { inBackground } from '../api/background.ts';

/**
 * Returns `run`, which calls `task` in the background `ms` after its first call, and `cancel` (stable). Calls in between join the one
 * that waits. They do not put it off: a stream of events that never pauses would put it off forever.
 */
export const useThrottled = (task: () => void, ms: number) => {
  const latest = useRef(task);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = task;
  });
  const cancel = useCallback((): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  useEffect(() => cancel, [cancel]);
  const run = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      inBackground(() => latest.current());
    }, ms);
  };
  return { run, cancel };
};
