import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/** What the form of an entry reports to its list. */
export interface EntryHandlers {
  /** `message`: what was done. */
  saved: (message: string) => void;
  /** Someone else has changed the entry. */
  outdated: () => void;
  /** Opens the entry again with its current values. */
  takeTheirs: () => Promise<void>;
  close: () => void;
}

/**
 * Which entry of a list is being edited, or 'new', and what was last done. `current`: loads the entry that has this id again, null if it is gone.
 * `keys`: what has to be loaded again after a change.
 */
export const useEdited = <T extends { id: string; version: string }>(
  keys: readonly QueryKey[],
  current: (id: string) => Promise<T | null>,
) => {
  const client = useQueryClient();
  const [open, setOpen] = useState<T | 'new' | null>(null);
  const [message, say] = useState<string | null>(null);
  const refresh = (): void => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  const close = (): void => setOpen(null);
  const saved = (done: string): void => {
    refresh();
    close();
    say(done);
  };
  const takeTheirs = async (): Promise<void> => {
    const entry = open === null || open === 'new' ? null : await current(open.id);
    if (entry) setOpen(entry);
    else saved('Someone else has removed this.');
  };
  return {
    message,
    closeMessage: () => say(null),
    /** Shows what was done and loads the list again. */
    saved,
    edit: (entry: T | 'new') => {
      say(null);
      setOpen(entry);
    },
    open,
    /** Another version opens the form anew. */
    key: open === null ? '' : open === 'new' ? 'new' : `${open.id} ${open.version}`,
    handlers: { saved, outdated: refresh, takeTheirs, close } satisfies EntryHandlers,
  };
};
