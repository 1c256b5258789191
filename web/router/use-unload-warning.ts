import { useEffect } from 'react';

/** Has the browser ask before the document is left or loaded again. */
export const useUnloadWarning = (isHeld: boolean): void => {
  useEffect(() => {
    if (!isHeld) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isHeld]);
};
