import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LiveEvent } from '#contract/live.ts';
import { useLiveEvents } from '../api/use-live.ts';

const FOLLOWED: ReadonlySet<LiveEvent['kind']> = new Set(['rows', 'reload', 'ping']);

/**
 * Loads a patient's queries of these names again when something about a patient of the team changed: one round at a time, and after it one more for all
 * changes meanwhile, so that a busy feed neither adds calls nor keeps answers from coming.
 */
export const useFollowPatient = (patientId: string, keys: readonly string[]): void => {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another patient's round is another one
  const round = useMemo(() => ({ isRunning: false, isAskedFor: false }), [patientId]);
  const load = async (): Promise<void> => {
    round.isAskedFor = true;
    if (round.isRunning) return;
    round.isRunning = true;
    while (round.isAskedFor) {
      round.isAskedFor = false;
      // A request under way may have been answered before the change, and would be joined.
      await Promise.all(
        keys.map(async (key) => {
          const queryKey = [key, patientId];
          await client.cancelQueries({ queryKey });
          await client.invalidateQueries({ queryKey });
        }),
      );
    }
    round.isRunning = false;
  };
  useLiveEvents(({ kind }) => {
    if (FOLLOWED.has(kind)) void load();
  });
};
