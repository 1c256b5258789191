import { createStore } from './store.ts';

const STORED = 'tidings-single-key-shortcuts';

const read = (): boolean => {
  try {
    return localStorage.getItem(STORED) !== 'off';
  } catch {
    return true;
  }
};
const enabled = createStore(read());

/** Turns the single-key shortcuts on or off in this browser (WCAG 2.1.4). */
export const setShortcuts = (on: boolean): void => {
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off');
  } catch {
    // Storage is blocked: the setting lasts until the page is closed.
  }
  enabled.set(on);
};

export const shortcutsOn = enabled.get;
export const useShortcutsOn = enabled.use;
