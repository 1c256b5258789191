import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  deletedBanner,
  FILTER_SAVE_FAILED,
  renamedBanner,
  type SearchModule,
  savedBanner,
} from '#contract/saved-filter-words.ts';
import type { SavedFilter, SavedFilterFields } from '#contract/saved-filters.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { savedFiltersQuery, searchPreferencesQuery, setDefault } from '../filters/saved-filter-queries.ts';
import { showToast } from '../ui/toasts.tsx';

/** What the page says above the list after a change. */
export interface Message {
  kind: 'SUCCESS' | 'WARNING';
  text: string;
}

/** Lists of rows. Creating or updating a filter searches them again. */
const LISTS = new Set<unknown>(['pings', 'patients']);
const searchAgain = (client: QueryClient): void =>
  void client.invalidateQueries({ predicate: ({ queryKey }) => LISTS.has(queryKey[0]) });

/** Returns the fields of a saved filter that the calls take. */
const fieldsOf = (saved: SavedFilter): SavedFilterFields => {
  const { id: _id, teamId: _team, offset: _offset, query: _query, ignoredFacets: _ignored, ...fields } = saved;
  const { loggableFilterRepresentation: _loggable, orderNum: _order, ...rest } = fields;
  const { isShared: _shared, owner: _owner, mayChange: _may, ...own } = rest;
  return own;
};

/** Shares a filter with the team, or stops sharing it. */
const useShareFilter = (
  put: (change: (list: SavedFilter[]) => SavedFilter[]) => void,
  say: (message: Message | null) => void,
) =>
  useMutation({
    mutationFn: ({ saved, shared }: { saved: SavedFilter; shared: boolean }) =>
      call('PUT /api/patient-search-params/:id/shared', { params: { id: saved.id }, body: { shared } }),
    onSuccess: (answer) => {
      put((list) => list.map((one) => (one.id === answer.id ? answer : one)));
      say({
        kind: 'SUCCESS',
        text: answer.isShared ? `Shared ${answer.name} with the team` : `Stopped sharing ${answer.name}`,
      });
    },
    onError: (failure) =>
      showToast({
        type: 'warning',
        message: failure instanceof ApiError ? failure.message : "Couldn't change who sees this filter. Try again.",
      }),
  });

/** Creates, changes and deletes saved filters. `say` receives the outcome of each. */
export const useSavedFilterChanges = (say: (message: Message | null) => void) => {
  const client = useQueryClient();
  const put = (change: (list: SavedFilter[]) => SavedFilter[]): void => {
    client.setQueryData<SavedFilter[]>(savedFiltersQuery.queryKey, (list) => change(list ?? []));
  };
  /** Only the server knows the order numbers of the neighbors. */
  const refetch = (): Promise<unknown> => client.invalidateQueries({ queryKey: savedFiltersQuery.queryKey });
  const failed = (): void => say({ kind: 'WARNING', text: FILTER_SAVE_FAILED });
  const change = async (saved: SavedFilter, over: Partial<SavedFilterFields>): Promise<SavedFilter> => {
    const answer = await call('PUT /api/patient-search-params/:id', {
      params: { id: saved.id },
      body: { ...fieldsOf(saved), ...over },
    });
    put((list) => list.map((one) => (one.id === answer.id ? answer : one)));
    return answer;
  };

  const create = useMutation({
    mutationFn: (body: SavedFilterFields) => call('POST /api/patient-search-params', { body }),
    onSuccess: (created) => {
      put((list) => [...list, created]);
      say({ kind: 'SUCCESS', text: savedBanner(created.name) });
      searchAgain(client);
    },
    onError: failed,
  });
  const update = useMutation({
    mutationFn: ({ saved, fields }: { saved: SavedFilter; fields: SavedFilterFields }) => change(saved, fields),
    onSuccess: ({ name }) => {
      say({ kind: 'SUCCESS', text: savedBanner(name) });
      searchAgain(client);
    },
    onError: (failure) => {
      // Whoever shared it has deleted it, or shares it no more. The list without it leads to the notice that offers to save it as new.
      if (failure instanceof ApiError && failure.status === 404) void refetch();
      else failed();
    },
  });
  const rename = useMutation({
    mutationFn: ({ saved, name }: { saved: SavedFilter; name: string }) => change(saved, { name }),
    onSuccess: ({ name }) => say({ kind: 'SUCCESS', text: renamedBanner(name) }),
    onError: failed,
  });
  const share = useShareFilter(put, say);
  const move = useMutation({
    mutationFn: async ({ saved, orderNum }: { saved: SavedFilter; orderNum: number }) => {
      // The neighbors shift by one, as on the server.
      put((list) => {
        const others = list.filter((one) => one.id !== saved.id);
        return others.toSpliced(orderNum - 1, 0, saved).map((one, at) => ({ ...one, orderNum: at + 1 }));
      });
      await call('PUT /api/patient-search-params/:id', {
        params: { id: saved.id },
        body: { ...fieldsOf(saved), orderNum },
      });
    },
    onError: failed,
    onSettled: refetch,
  });
  const remove = async (saved: SavedFilter): Promise<void> => {
    await call('DELETE /api/patient-search-params/:id', { params: { id: saved.id } });
    put((list) => list.filter((one) => one.id !== saved.id).map((one, at) => ({ ...one, orderNum: at + 1 })));
    void client.invalidateQueries({ queryKey: searchPreferencesQuery.queryKey });
    say({ kind: 'SUCCESS', text: deletedBanner(saved.name) });
  };
  const makeDefault = useMutation({
    mutationFn: ({ module, id }: { module: SearchModule; id: string | null }) => setDefault(module, id),
    onError: failed,
    onSettled: () => client.invalidateQueries({ queryKey: searchPreferencesQuery.queryKey }),
  });
  return { create, update, rename, share, move, remove, makeDefault };
};
export type SavedFilterChanges = ReturnType<typeof useSavedFilterChanges>;
