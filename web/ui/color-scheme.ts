import { createStore } from './store.ts';
import { whenPrinting } from './use-printing.ts';

export type ColorScheme = 'light' | 'dark' | 'auto';
/** Also read by public/first.js, before the first paint. */
const STORED = 'mantine-color-scheme-value';
const ATTRIBUTE = 'data-mantine-color-scheme';
const DARK = '(prefers-color-scheme: dark)';

const isScheme = (value: string | null): value is ColorScheme => /^(light|dark|auto)$/.test(value ?? '');
const read = (): ColorScheme => {
  try {
    const stored = localStorage.getItem(STORED);
    return isScheme(stored) ? stored : 'auto';
  } catch {
    return 'auto';
  }
};
const scheme = createStore(read());
let isForced = (): boolean => false;
let isPrinted = false;

const apply = (): void => {
  const shown = isForced() || isPrinted ? 'light' : scheme.get();
  document.documentElement.setAttribute(
    ATTRIBUTE,
    shown === 'auto' ? (matchMedia(DARK).matches ? 'dark' : 'light') : shown,
  );
};

export const useColorScheme = scheme.use;

/** Colors the pages of this browser. */
export const setColorScheme = (next: ColorScheme): void => {
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // Storage is blocked: the scheme lasts until the page is closed.
  }
  scheme.set(next);
  apply();
};

/**
 * Follows the system's scheme and what other tabs choose; what is printed is light. While `forceLight`, as inside an EHR, the pages are light.
 * Returns what to call when that may have changed.
 */
export const followColorScheme = (forceLight: () => boolean): (() => void) => {
  isForced = forceLight;
  apply();
  matchMedia(DARK).addEventListener('change', apply);
  // Black on white, in the colors of the light scheme.
  whenPrinting((printing) => {
    isPrinted = printing;
    apply();
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORED || !isScheme(newValue)) return;
    scheme.set(newValue);
    apply();
  });
  return apply;
};
