import { useMutation, useQueryClient } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import { call } from '../api/call.ts';
import { showToast } from '../ui/toasts.tsx';
import { whyNot } from './decision-errors.ts';
import { REVIEWS_KEY } from './review-queries.ts';

/** Undoes decisions, one after another, and says which could not be undone. `undone`: called with those that were, once the lists are fresh. */
export const useUndo = (undone: (ids: readonly string[]) => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const failures = new Map<string, string>();
      for (const id of ids) {
        await call('POST /api/feeds/reviews/:id/undo', { params: { id } }).catch((error: unknown) =>
          failures.set(id, whyNot(error, 'This decision was already undone.')),
        );
      }
      return failures;
    },
    onSuccess: async (failures, ids) => {
      const [first] = failures.values();
      const done = ids.filter((id) => !failures.has(id));
      if (done.length > 0) {
        const message = done.length === 1 ? 'Decision undone.' : `${done.length} decisions undone.`;
        showToast({ type: 'success', message });
      }
      if (first) {
        const message =
          ids.length === 1 ? first : `${counted(failures.size, 'decision', 'decisions')} couldn't be undone. ${first}`;
        showToast({ type: 'warning', message });
      }
      await client.invalidateQueries({ queryKey: REVIEWS_KEY });
      undone(done);
    },
  });
};
