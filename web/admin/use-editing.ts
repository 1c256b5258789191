import { useEffect, useRef, useState } from 'react';

/** Focuses what opened the drawer or, if that has gone or was a shortcut, the heading of the page. */
const focusAgain = (opener: Element | null): void => {
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) {
    opener.focus();
    return;
  }
  const heading = document.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
};

/**
 * State of a list with a drawer beside it: the entry that is open, and the message about the last change. Mantine's drawer can't return
 * the focus, since it is removed when it closes.
 */
export const useEditing = <T>() => {
  const [open, setOpen] = useState<T | null>(null);
  const opener = useRef<Element | null>(null);
  const isOpen = open !== null;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) focusAgain(opener.current);
    wasOpen.current = isOpen;
  }, [isOpen]);
  const [message, showMessage] = useState<string | null>(null);
  return {
    open,
    message,
    showMessage,
    dismissMessage: (): void => showMessage(null),
    edit: (entry: T): void => {
      showMessage(null);
      if (!isOpen) opener.current = document.activeElement;
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
