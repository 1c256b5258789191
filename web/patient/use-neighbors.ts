import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SearchParametersInput } from '#contract/search.ts';

interface ListPage {
  patients: { id: string }[];
  total: number;
}

export interface Neighbors {
  previous: string | null;
  next: string | null;
  /** From 1, in the whole list. */
  position: number;
  total: number;
}

/**
 * Returns the patients before and after this one in the list that was shown last and has the patient, among those of its page; null if the
 * reader came from no list. The list stays the one that was shown when the story was opened.
 */
export const useNeighbors = (patientId: string): Neighbors | null => {
  const client = useQueryClient();
  const [list] = useState(() => {
    const lists = ['pings', 'patients'].flatMap((name) => client.getQueryCache().findAll({ queryKey: [name] }));
    const loaded = lists.flatMap(({ queryKey, state }) => {
      const page = state.data as ListPage | undefined;
      const parameters = queryKey[1] as SearchParametersInput | undefined;
      if (!page?.patients?.some(({ id }) => id === patientId)) return [];
      const first = ((parameters?.pageNumber ?? 1) - 1) * (parameters?.pageSize ?? page.patients.length);
      return [{ ids: page.patients.map(({ id }) => id), total: page.total, first, at: state.dataUpdatedAt }];
    });
    return loaded.toSorted((a, b) => b.at - a.at)[0] ?? null;
  });
  const at = list?.ids.indexOf(patientId) ?? -1;
  if (!list || at < 0) return null;
  return {
    previous: list.ids[at - 1] ?? null,
    next: list.ids[at + 1] ?? null,
    position: list.first + at + 1,
    total: Math.max(list.total, list.first + list.ids.length),
  };
};
