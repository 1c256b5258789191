import { useCallback, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { WorkChoice } from './change-work.ts';
import type { Choice } from './status-change.ts';

/** A change of the selected rows. */
export type BulkChoice = Choice | WorkChoice;

/** What the user is asked before the selected rows change. */
export type Question = 'resolve' | 'assign' | 'snooze' | BulkChoice | null;

/** The selected rows by id, each as it was when it was selected. */
export type Picks = ReadonlyMap<string, Patient>;

const NONE: Picks = new Map();

/**
 * The rows that are selected for a change of all of them. They are kept as they were: the user has not selected what happens to them
 * later. Another list, or another page of it, begins without any.
 */
export const usePicks = (list: string) => {
  const [picks, setPicks] = useState({ list, rows: NONE });
  const [question, ask] = useState<Question>(null);
  const picked = picks.list === list ? picks.rows : NONE;
  if (question && picked.size === 0) ask(null);
  const pick = (rows: Iterable<Patient>): void =>
    setPicks({ list, rows: new Map(Array.from(rows, (row) => [row.id, row])) });
  // The same for every render, so that rows are not drawn again.
  const toggle = useCallback(
    (row: Patient): void =>
      setPicks((now) => {
        const rows = new Map(now.list === list ? now.rows : NONE);
        if (!rows.delete(row.id)) rows.set(row.id, row);
        return { list, rows };
      }),
    [list],
  );
  return { picked, pick, toggle, question, ask };
};
