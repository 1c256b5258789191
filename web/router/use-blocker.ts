import { useEffect, useState } from 'react';
import { useRouter } from './hooks.ts';
import { useUnloadWarning } from './use-unload-warning.ts';

/** A question whether the page may be left, which waits for an answer. */
interface Question {
  proceed: () => void;
  reset: () => void;
}

/** Asks before the page is left, except for a path that `isFree`. Returns the question that waits for an answer, or null. */
export const useBlocker = (isHeld: boolean, isFree: (pathname: string) => boolean): Question | null => {
  const { history, locate } = useRouter();
  const [question, ask] = useState<Question | null>(null);
  useUnloadWarning(isHeld);
  useEffect(() => {
    if (!isHeld) return;
    return history.block(
      ({ href }) =>
        isFree(locate({ to: href }).pathname) ||
        new Promise((resolve) => {
          const answer = (may: boolean) => () => {
            ask(null);
            resolve(may);
          };
          ask({ proceed: answer(true), reset: answer(false) });
        }),
    );
  }, [history, locate, isHeld, isFree]);
  return question;
};
