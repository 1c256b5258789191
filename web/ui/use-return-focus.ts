import { useEffect, useState } from 'react';
import { focusAlong, pathOf } from './keep-focus.ts';

/**
 * Returns the focus to where it was, or near it, once a dialog is removed. Mantine's dialogs do so only while they stay mounted. `wanted`: false for
 * what is no dialog at this width.
 */
export const useReturnFocus = (wanted = true): void => {
  const [path] = useState(() => (document.activeElement ? pathOf(document.activeElement) : []));
  useEffect(() => {
    if (!wanted || path.length === 0) return;
    return () => focusAlong(path);
  }, [wanted, path]);
};
