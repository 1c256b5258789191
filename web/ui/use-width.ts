import { useSyncExternalStore } from 'react';

/** `narrow` is a phone: under 768 px. */
export type Width = 'narrow' | 'medium' | 'wide';
const WIDE = '(min-width: 1200px)';
const NARROW = '(max-width: 767.98px)';

const watch = (watcher: () => void): (() => void) => {
  const queries = [matchMedia(WIDE), matchMedia(NARROW)];
  for (const query of queries) query.addEventListener('change', watcher);
  return () => {
    for (const query of queries) query.removeEventListener('change', watcher);
  };
};
let onScreen: Width = 'wide';
/** Printing must not change the layout, so the width of the paper is ignored. */
const read = (): Width => {
  if (!matchMedia('print').matches)
    onScreen = matchMedia(WIDE).matches ? 'wide' : matchMedia(NARROW).matches ? 'narrow' : 'medium';
  return onScreen;
};

/** The width class of the window, which decides between split pane, side panel and full page. */
export const useWidth = (): Width => useSyncExternalStore(watch, read);
