import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/error.ts';
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

interface Edited<T, L> {
  /** The entries in an answer. */
  entries: (answer: L) => readonly T[];
  /** Loads an entry that may be on another page by now. Throws NOT_FOUND. */
  load?: (id: string) => Promise<T>;
  /** What a change makes out of date, besides this answer. */
  changes?: readonly QueryKey[];
}

/** A list with the form of one of its entries, or of a new one, beside it. While another page loads, the list shows the last one. */
export const useEditedPage = <T extends { id: string; version: string }, L, K extends QueryKey>(
  query: UseQueryOptions<L, Error, L, K> & { queryKey: K },
  { entries, load, changes = [] }: Edited<T, L>,
) => {
  const client = useQueryClient();
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const editing = useEditing<T | 'new'>();
  const { open } = editing;
  const refresh = (): void => {
    for (const queryKey of [query.queryKey, ...changes]) void client.invalidateQueries({ queryKey });
  };
  const shown = list.data === undefined ? [] : entries(list.data);
  const saved = (message: string): void => {
    refresh();
    editing.saved(message);
  };
  const takeTheirs = async (): Promise<void> => {
    if (open === null || open === 'new') return;
    const { id } = open;
    const current = load
      ? await load(id).catch(nullIfMissing)
      : entries(await client.fetchQuery(query)).find((one) => one.id === id);
    if (current) editing.edit(current);
    else editing.saved(REMOVED_BY_OTHER);
  };
  /** The open entry; with what the list has loaded since, such as how many use it, unless someone else has changed the entry. */
  const entry =
    open === null || open === 'new'
      ? null
      : (shown.find(({ id, version }) => id === open.id && version === open.version) ?? open);
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

const nullIfMissing = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
};

/** The same for a list that is loaded whole. */
export const useEditedList = <T extends { id: string; version: string }, K extends QueryKey>(
  query: UseQueryOptions<T[], Error, T[], K> & { queryKey: K },
) => useEditedPage<T, T[], K>(query, { entries: (all) => all });
