import { showToast } from '../ui/toasts.tsx';

/** Says what was changed, in a toast with Undo. Undone there or by Z, it is undone once, and the toast is gone. */
export const offerUndo = (message: string, undo: () => void, noteUndo: (undo: () => void) => void): void => {
  let isUndone = false;
  const run = (): void => {
    if (isUndone) return;
    isUndone = true;
    hide();
    undo();
  };
  const hide = showToast({ type: 'success', message, action: { label: 'Undo', run } });
  noteUndo(run);
};
