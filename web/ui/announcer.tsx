import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';

let said = '';
const watchers = new Set<() => void>();

/** Says something to screen readers, politely, without showing it. */
export const announce = (text: string): void => {
  // The same words twice in a row are spoken only if they differ: a no-break space makes them do so.
  said = text === said ? `${text}\u00a0` : text;
  for (const watcher of watchers) watcher();
};

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** The page's one live region. */
export const Announcer = () => (
  <VisuallyHidden role="status" aria-live="polite">
    {useSyncExternalStore(watch, () => said)}
  </VisuallyHidden>
);
