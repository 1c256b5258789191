import { useEffect, useState } from 'react';

/**
 * Returns the focus to where it was once a dialog is removed. Mantine's dialogs do so only while they stay mounted. `wanted`: false for
 * what is no dialog at this width.
 */
export const useReturnFocus = (wanted = true): void => {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    if (!wanted || !(opener instanceof HTMLElement)) return;
    return () => opener.focus();
  }, [wanted, opener]);
};
