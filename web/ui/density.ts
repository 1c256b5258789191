import { useSyncExternalStore } from 'react';

export type Density = 'comfortable' | 'compact';
const STORED = 'tidings-density';
const watchers = new Set<() => void>();

const read = (): Density => {
  try {
    return localStorage.getItem(STORED) === 'compact' ? 'compact' : 'comfortable';
  } catch {
    return 'comfortable';
  }
};
let density = read();

/** Sets the height of list rows. Stored in this browser too, so that the next page is right from its first frame. */
export const setDensity = (next: Density): void => {
  density = next;
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // Storage is blocked: the profile has the setting for the next visit.
  }
  for (const watcher of watchers) watcher();
};

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};
/** Comfortable rows are 56 px high; compact ones 36 px, if the list is wide enough. */
export const useDensity = (): Density => useSyncExternalStore(watch, () => density);
