import { useEffect, useRef } from 'react';
import { COMMAND_KEYS, type CommandId } from './command-keys.ts';
import { shortcutsOn } from './shortcuts.ts';

/** Gets the event of the key; from the palette, there is none. */
type Handler = (event?: KeyboardEvent) => void;
/** What a part of the page can do now. Null where it can't. */
export type Handlers = Partial<Record<CommandId, Handler | null>>;

/** Milliseconds in which the second key of two has to follow. */
const SECOND_KEY_WITHIN = 1500;

interface Part {
  handlers: Handlers;
  /** Whom the commands are about. In memory only. */
  about: string | undefined;
}
/** The parts of the page that have commands, in the order in which they appeared. */
const parts = new Set<{ current: Part }>();

/** Returns what can be done now, by command, and about whom. Of several parts with the same command, the newest. */
export const availableCommands = (): ReadonlyMap<CommandId, { run: Handler; about: string | undefined }> =>
  new Map(
    [...parts].flatMap(({ current: { handlers, about } }) =>
      Object.entries(handlers).flatMap(([id, run]) => (run ? [[id as CommandId, { run, about }] as const] : [])),
    ),
  );

const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

const IDS = Object.keys(COMMAND_KEYS) as CommandId[];
const commandsOf = (keys: string): CommandId[] =>
  IDS.filter((id) => (COMMAND_KEYS[id] as readonly string[]).includes(keys));

/** Runs the commands of `keys`, the newest first, until one of them takes the key for itself. Returns whether there was one. */
const run = (keys: string, event: KeyboardEvent): boolean => {
  const ids = commandsOf(keys);
  const handlers = [...parts].reverse().flatMap(({ current }) => ids.flatMap((id) => current.handlers[id] ?? []));
  for (const handler of handlers) if (!event.defaultPrevented) handler(event);
  return handlers.length > 0;
};

/** When the first key of two was pressed, by `event.timeStamp`, and which. */
let first: { key: string; at: number } | null = null;

/** Whether a menu or a modal was open when the key went down: by the time that `press` looks, the key may have closed it. */
let isLayered = false;
const look = (): void => {
  isLayered = document.querySelector('[role="menu"], [aria-modal="true"], dialog[open]') !== null;
};

const press = (event: KeyboardEvent): void => {
  const before = first;
  first = null;
  if (isLayered || event.defaultPrevented || event.altKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    // The browser has this key too.
    if (run(`mod+${key}`, event)) event.preventDefault();
    return;
  }
  if (key !== 'Escape' && (isTextInput(event.target) || !shortcutsOn())) return;
  if (before && key !== 'Escape' && event.timeStamp - before.at < SECOND_KEY_WITHIN) {
    // Whatever the second key is, it doesn't mean anything by itself.
    run(`${before.key} ${key}`, event);
    // And all that follow / are text, also while the field for it is on its way.
    if (before.key === '/') first = before;
    return;
  }
  if (event.shiftKey && run(`shift+${key}`, event)) return;
  if (run(key, event) && key !== '/') return;
  if (key === '/' || IDS.some((id) => COMMAND_KEYS[id].some((keys) => keys.startsWith(`${key} `))))
    first = { key, at: event.timeStamp };
};

const listen = (on: boolean): void => {
  const change = on ? 'addEventListener' : 'removeEventListener';
  window[change]('keydown', look, true);
  window[change]('keydown', press as EventListener);
};

/**
 * Offers what this part of the page can do, by its keys and in the palette. Keys are ignored in text fields, while a menu or a modal is open
 * and, except for Escape, when shortcuts are off; those with Ctrl or Command work in text fields too. `about`: the patient whom they are about.
 */
export const useCommands = (handlers: Handlers, about?: string): void => {
  const part = useRef<Part>({ handlers, about });
  useEffect(() => {
    part.current = { handlers, about };
  });
  useEffect(() => {
    if (parts.size === 0) listen(true);
    parts.add(part);
    return () => {
      parts.delete(part);
      if (parts.size === 0) listen(false);
    };
  }, []);
};
