import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { Review } from '#contract/reviews.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useCommands } from '../ui/commands.ts';
import { showToast } from '../ui/toasts.tsx';
import { isOutdated, whyNot } from './decision-errors.ts';
import { REVIEWS_KEY } from './review-queries.ts';
import { titleOf } from './review-words.ts';
import { useUndo } from './use-undo.ts';

/** `candidateId`: the candidate to link; null if it is none of them. */
export type Decision = { review: Review; candidateId: string | null };

/** A decision that was not saved: whom it was about, and why. */
export interface Failure {
  title: string;
  why: string;
}

const GONE = 'This match has left the list, so your decision was not saved.';

/** Decides reviews, each with an undo in the toast and by Z. */
export const useDecide = ({
  left,
  returned,
}: {
  /** Called once reviews have left the list. */
  left: () => void;
  /** Called with a review that is back in the list, or has changed. */
  returned: (id: string | undefined) => void;
}) => {
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: REVIEWS_KEY });
  const [last, setLast] = useState<readonly string[]>([]);
  const undo = useUndo((ids) => returned(ids[0]));
  const [failures, setFailures] = useState<ReadonlyMap<string, Failure>>(new Map());
  const [failed, setFailed] = useState<readonly Failure[]>([]);
  const undoIds = (ids: readonly string[]): void => {
    setLast([]);
    undo.mutate(ids);
  };
  useCommands({ 'list.undo': last.length > 0 && !undo.isPending ? () => undoIds(last) : null });
  const done = (message: string, ids: readonly string[]): void => {
    setLast(ids);
    showToast({ type: 'success', message, action: { label: 'Undo', run: () => undoIds(ids) } });
  };

  const one = useMutation({
    mutationFn: ({ review: { id, version }, candidateId }: Decision) =>
      call('POST /api/feeds/reviews/:id', { params: { id }, body: { candidateId, version } }),
    onSuccess: async (_, { review, candidateId }) => {
      setFailures(new Map());
      done(candidateId ? 'Linked as the same person.' : 'Marked as not the same person.', [review.id]);
      await refresh();
      left();
    },
    onError: async (error, { review }) => {
      const why = whyNot(error, GONE);
      const stays = error instanceof ApiError && ['REVIEW_CHANGED', 'REVIEW_CONTRADICTED'].includes(error.errorKey);
      // A match that stays says why itself.
      if (stays) setFailures(new Map([[review.id, { title: titleOf(review.record), why }]]));
      else showToast({ type: 'warning', message: why });
      if (!isOutdated(error)) return;
      await refresh();
      if (stays) returned(review.id);
      else left();
    },
  });

  const several = useMutation({
    mutationFn: async (reviews: readonly Review[]) => {
      const refused = new Map<string, Failure>();
      for (const { id, version, record, candidates } of reviews) {
        const body = { candidateId: candidates[0]?.id ?? '', version, onlyIfClear: true };
        await call('POST /api/feeds/reviews/:id', { params: { id }, body }).catch((error: unknown) =>
          refused.set(id, { title: titleOf(record), why: whyNot(error, GONE) }),
        );
      }
      return refused;
    },
    onSuccess: async (refused, reviews) => {
      setFailures(refused);
      setFailed([...refused.values()]);
      const linked = reviews.map(({ id }) => id).filter((id) => !refused.has(id));
      if (linked.length > 0) done(`${counted(linked.length, 'match', 'matches')} linked.`, linked);
      await refresh();
      left();
    },
  });

  return {
    decide: one.mutate,
    linkAll: several.mutate,
    isBusy: one.isPending || several.isPending || undo.isPending,
    /** Why reviews that are still open were not decided, by id. */
    failures,
    /** Those of the matches linked together last that were not linked, until dismissed. */
    failed,
    dismiss: () => setFailed([]),
  };
};
