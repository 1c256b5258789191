import { useEffect, useRef } from 'react';
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

export const useShortcutsOn = enabled.use;

const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

/**
 * Runs handlers on single keys, by `KeyboardEvent.key`. Keys are ignored in text fields, while a menu or a modal is open and, except
 * for Escape, when shortcuts are off. Never bind a key to something that cannot be undone.
 */
export const useShortcuts = (keys: Record<string, (event: KeyboardEvent) => void>): void => {
  const bound = useRef(keys);
  useEffect(() => {
    bound.current = keys;
  });
  useEffect(() => {
    // Before a layer hears the key and closes: it would be gone by the time that `press` looks.
    let isLayered = false;
    const look = (): void => {
      isLayered = document.querySelector('[role="menu"], [aria-modal="true"], dialog[open]') !== null;
    };
    const press = (event: KeyboardEvent): void => {
      if (isLayered || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const handler = bound.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!handler) return;
      if (event.key !== 'Escape' && (isTextInput(event.target) || !enabled.get())) return;
      handler(event);
    };
    window.addEventListener('keydown', look, true);
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', look, true);
      window.removeEventListener('keydown', press);
    };
  }, []);
};
