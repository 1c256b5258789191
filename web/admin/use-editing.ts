import { useState } from 'react';

/**
 * State of a list with a drawer beside it: the entry that is open, and the message about the last change. Mantine's drawer returns the
 * focus to where it came from.
 */
export const useEditing = <T>() => {
  const [open, setOpen] = useState<T | null>(null);
  const [message, showMessage] = useState<string | null>(null);
  return {
    open,
    message,
    showMessage,
    dismissMessage: (): void => showMessage(null),
    edit: (entry: T): void => {
      showMessage(null);
      setOpen(entry);
    },
    close: (): void => setOpen(null),
    /** Closes the drawer and shows what was done. */
    saved: (text: string): void => {
      setOpen(null);
      showMessage(text);
    },
  };
};

/** The message if the open entry no longer exists. */
export const REMOVED_BY_OTHER = 'Someone else removed it.';
