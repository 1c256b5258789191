import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { openAnew, useEditing } from './admin-page.tsx';

/** What the form of an entry tells the list beside it. */
export interface EntryActs {
  /** `message`: what was done. */
  saved: (message: string) => void;
  /** Somebody else has changed the entry. */
  outdated: () => void;
  /** Opens the entry again as it stands now. */
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
  const renew = (): void => void client.invalidateQueries({ queryKey: query.queryKey });
  const saved = (message: string): void => {
    renew();
    editing.saved(message);
  };
  return {
    list,
    editing,
    /** Says what was done, and reads the list anew. */
    saved,
    /** What the form that is open takes; null where none is. */
    form: open !== null && {
      /** Another version is another form. */
      key: open === 'new' ? 'new' : open.version,
      /** Null for a new one. */
      entry: open === 'new' ? null : open,
      does: {
        close: editing.close,
        outdated: renew,
        takeTheirs: () => openAnew(client.fetchQuery(query), editing),
        saved,
      } satisfies EntryActs,
    },
  };
};
