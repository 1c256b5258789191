import { useCallback, useState } from 'react';
import type { WorkChoice } from './change-work.ts';
import type { Choice } from './status-change.ts';

/** A change of the selected rows. */
export type BulkChoice = Choice | WorkChoice;

/** What the user is asked before the selected rows change. */
export type Question = 'resolve' | 'assign' | 'snooze' | BulkChoice | null;

const NONE: ReadonlySet<string> = new Set();

/** The rows that are selected for a change of all of them. Another list, or another page of it, begins without any. */
export const usePicks = (list: string) => {
  const [picks, setPicks] = useState({ list, ids: NONE });
  const [question, ask] = useState<Question>(null);
  const picked = picks.list === list ? picks.ids : NONE;
  if (question && picked.size === 0) ask(null);
  const pick = (ids: Iterable<string>): void => setPicks({ list, ids: new Set(ids) });
  // The same for every render, so that rows are not drawn again.
  const toggle = useCallback(
    (id: string): void =>
      setPicks((now) => {
        const ids = new Set(now.list === list ? now.ids : NONE);
        if (!ids.delete(id)) ids.add(id);
        return { list, ids };
      }),
    [list],
  );
  return { picked, pick, toggle, question, ask };
};
