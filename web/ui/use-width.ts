import { useSyncExternalStore } from 'react';

/** `narrow` is the specification's "mobile": under 768 px. */
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
/** While the page is printed, the width of the paper changes nothing of it. */
const read = (): Width => {
  if (!matchMedia('print').matches)
    onScreen = matchMedia(WIDE).matches ? 'wide' : matchMedia(NARROW).matches ? 'narrow' : 'medium';
  return onScreen;
};

/** The class of the window's width that chooses between split pane, side panel and full page. */
export const useWidth = (): Width => useSyncExternalStore(watch, read);
