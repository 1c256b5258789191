import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { REMOVED_BY_OTHER, useEditing } from './use-editing.ts';

/** What the form of an entry reports to the list beside it. */
export interface EntryHandlers {
  /** `message`: what was done. */
  saved: (message: string) => void;
  /** Someone else has changed the entry. */
  outdated: () => void;
  /** Opens the entry again with its current values. */
  takeTheirs: () => Promise<void>;
  close: () => void;
}

/** A list with the form of one of its entries, or of a new one, beside it. */
export const useEditedList = <T extends { id: string; version: string }, K extends QueryKey>(
  query: UseQueryOptions<T[], Error, T[], K> & { queryKey: K },
) => {
  const client = useQueryClient();
  const list = useQuery(query);
  const editing = useEditing<T | 'new'>();
  const { open } = editing;
  const refresh = (): void => void client.invalidateQueries({ queryKey: query.queryKey });
  const saved = (message: string): void => {
    refresh();
    editing.saved(message);
  };
  const takeTheirs = async (): Promise<void> => {
    const entries = await client.fetchQuery(query);
    const current = entries.find(({ id }) => open !== null && open !== 'new' && id === open.id);
    if (current) editing.edit(current);
    else editing.saved(REMOVED_BY_OTHER);
  };
  /** The open entry; with what the list has loaded since, such as how many use it, unless someone else has changed the entry. */
  const entry =
    open === null || open === 'new'
      ? null
      : (list.data?.find(({ id, version }) => id === open.id && version === open.version) ?? open);
  return {
    list,
    editing,
    /** Shows what was done and refreshes the list. */
    saved,
    /** The props of the open form; false if none is open. */
    form: open !== null && {
      /** Another version remounts the form. */
      key: open === 'new' ? 'new' : open.version,
      /** Null for a new one. */
      entry,
      handlers: { close: editing.close, outdated: refresh, takeTheirs, saved } satisfies EntryHandlers,
    },
  };
};
