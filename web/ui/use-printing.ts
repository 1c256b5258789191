import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { setOnPaper } from './format/date.ts';

let isPrinting = false;
const listeners = new Set<(printing: boolean) => void>();

/** The browser lays out the print-out as soon as the event ends, so what changes for it is drawn at once. */
const change = (to: boolean): void => {
  isPrinting = to;
  setOnPaper(to);
  flushSync(() => {
    for (const listener of listeners) listener(to);
  });
};
window.addEventListener('beforeprint', () => change(true));
window.addEventListener('afterprint', () => change(false));

/** Calls `listener` when the page is about to be printed, and when that is over. Returns a function that ends it. */
export const whenPrinting = (listener: (printing: boolean) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns whether the page is being printed. True from the first look of what is put on the page for the print-out. */
export const usePrinting = (): boolean => useSyncExternalStore(whenPrinting, () => isPrinting);
