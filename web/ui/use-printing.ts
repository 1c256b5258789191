import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let isPrinting = false;
const listeners = new Set<() => void>();

/** The browser lays out the print-out as soon as the event ends, so what changes for it is drawn at once. */
const change = (to: boolean): void => {
  isPrinting = to;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
};
window.addEventListener('beforeprint', () => change(true));
window.addEventListener('afterprint', () => change(false));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns whether the page is being printed. True from the first look of what is put on the page for the print-out. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
