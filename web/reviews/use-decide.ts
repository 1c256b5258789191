import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Review } from '#contract/reviews.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { showToast } from '../ui/toasts.tsx';
import { counted } from '../ui/use-announced.ts';
import { REVIEWS_KEY } from './review-queries.ts';

/** `candidateId`: the candidate to link; null if it is none of them. */
export type Decision = { id: string; candidateId: string | null };

const reasonOf = (error: unknown, gone: string): string => {
  if (!(error instanceof ApiError)) return "Couldn't save the decision. Try again.";
  // The server doesn't find a review that is decided.
  return error.errorKey === 'NOT_FOUND' ? gone : error.message;
};
const DECIDED = 'This match was already decided, so your decision was not saved.';

/** Undoes decisions, one after another, and says how many could not be undone. */
const useUndo = (refresh: () => Promise<void>) =>
  useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const failures: string[] = [];
      for (const id of ids) {
        await call('POST /api/feeds/reviews/:id/undo', { params: { id } }).catch((error: unknown) =>
          failures.push(reasonOf(error, 'This decision was already undone.')),
        );
      }
      return failures;
    },
    onSuccess: (failures, ids) => {
      const [first] = failures;
      const message =
        ids.length === 1 ? first : `${counted(failures.length, 'link', 'links')} couldn't be undone. ${first}`;
      if (message && first) showToast({ type: 'warning', message });
      return refresh();
    },
  });

/** Decides reviews, each with an undo in the toast. `left`: called once reviews have left the list. */
export const useDecide = (left: () => void) => {
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: REVIEWS_KEY });
  const undo = useUndo(refresh);
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const done = (message: string, ids: readonly string[]): void =>
    void showToast({ type: 'success', message, action: { label: 'Undo', run: () => undo.mutate(ids) } });

  const one = useMutation({
    mutationFn: ({ id, candidateId }: Decision) =>
      call('POST /api/feeds/reviews/:id', { params: { id }, body: { candidateId } }),
    onSuccess: async (_, { id, candidateId }) => {
      done(candidateId ? 'Linked as the same person.' : 'Marked as not the same person.', [id]);
      await refresh();
      left();
    },
    onError: (error) => {
      showToast({ type: 'warning', message: reasonOf(error, DECIDED) });
      return error instanceof ApiError && error.errorKey === 'NOT_FOUND' ? refresh() : undefined;
    },
  });

  const several = useMutation({
    mutationFn: async (reviews: readonly Review[]) => {
      const failed = new Map<string, string>();
      for (const { id, candidates } of reviews) {
        const body = { candidateId: candidates[0]?.id ?? '', onlyIfClear: true };
        await call('POST /api/feeds/reviews/:id', { params: { id }, body }).catch((error: unknown) =>
          failed.set(id, reasonOf(error, DECIDED)),
        );
      }
      return failed;
    },
    onSuccess: async (failed, reviews) => {
      setFailures(failed);
      const linked = reviews.map(({ id }) => id).filter((id) => !failed.has(id));
      if (linked.length > 0) done(`${counted(linked.length, 'match', 'matches')} linked.`, linked);
      if (failed.size > 0) {
        const message = `${counted(failed.size, 'match', 'matches')} couldn't be linked. Each says why.`;
        showToast({ type: 'warning', message });
      }
      await refresh();
      left();
    },
  });

  return {
    decide: one.mutate,
    linkAll: several.mutate,
    isBusy: one.isPending || several.isPending || undo.isPending,
    /** Why reviews could not be linked, by id. */
    failures,
  };
};
