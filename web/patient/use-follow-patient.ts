import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { LiveEvent } from '#contract/live.ts';
import { useLiveEvents } from '../api/use-live.ts';

const FOLLOWED: ReadonlySet<LiveEvent['kind']> = new Set(['rows', 'reload', 'ping']);

/**
 * Loads a patient's queries of these names again when something about a patient of the team changed: one round at a time, and after it one more for all
 * changes meanwhile, so that a busy feed neither adds calls nor keeps answers from coming.
 */
export const useFollowPatient = (patientId: string, keys: readonly string[]): void => {
  const client = useQueryClient();
  const latest = useRef({ patientId, isRunning: false, isAskedFor: false });
  const load = async (): Promise<void> => {
    // Another patient's round is not waited for.
    if (latest.current.patientId !== patientId) latest.current = { patientId, isRunning: false, isAskedFor: false };
    const round = latest.current;
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
