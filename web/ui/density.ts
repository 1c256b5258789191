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

/** Sets how high the rows of lists are; kept in this browser too, so that the next page is right from its first frame. */
export const setDensity = (next: Density): void => {
  density = next;
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // Storage is blocked: the profile says it again at the next visit.
  }
  for (const watcher of watchers) watcher();
};

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};
/** Comfortable rows are 56 px high, compact ones 36 px where they have the width (ux.md, 3.4). */
export const useDensity = (): Density => useSyncExternalStore(watch, () => density);
