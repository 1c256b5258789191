import { createStore } from './store.ts';

export type Density = 'comfortable' | 'compact';
const STORED = 'tidings-density';

const read = (): Density => {
  try {
    return localStorage.getItem(STORED) === 'compact' ? 'compact' : 'comfortable';
  } catch {
    return 'comfortable';
  }
};
const density = createStore(read());

/** Sets the height of list rows. Stored in this browser too, so that the next page is right from its first frame. */
export const setDensity = (next: Density): void => {
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // Storage is blocked: the profile has the setting for the next visit.
  }
  density.set(next);
};

/** Comfortable rows are 56 px high; compact ones 36 px, if the list is wide enough. */
export const useDensity = density.use;
export const currentDensity = density.get;
