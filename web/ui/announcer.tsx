import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';

let announced = '';
const watchers = new Set<() => void>();

/** Has screen readers read out a text, politely, without showing it. */
export const announce = (text: string): void => {
  // A repeated text is read out only if it differs, so a no-break space is added.
  announced = text === announced ? `${text}\u00a0` : text;
  for (const watcher of watchers) watcher();
};

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** The page's one live region. */
export const Announcer = () => (
  <VisuallyHidden role="status" aria-live="polite">
    {useSyncExternalStore(watch, () => announced)}
  </VisuallyHidden>
);
