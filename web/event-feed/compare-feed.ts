import type { Patient } from '#contract/patients.ts';
import { eventIdOf, type LoadedEvents, rowsOf } from './feed-queries.ts';

interface Difference {
  /** How many events came in above or between the rows that are shown. */
  arrived: number;
  /** Whether a row may no longer be shown: its facility may not disclose it any more, or its entry was deleted. */
  isGone: boolean;
}

/** Compares the rows on the page with those of the server. Older events at the end are not news. */
export const differenceOf = (shown: LoadedEvents, next: LoadedEvents): Difference => {
  const [before, after] = [rowsOf(shown).map(eventIdOf), rowsOf(next).map(eventIdOf)];
  const [known, present] = [new Set(before), new Set(after)];
  const last = after.findLastIndex((id) => known.has(id));
  const arrived = after.slice(0, last + 1).filter((id) => !known.has(id)).length;
  // New events push as many of the oldest ones off the loaded pages.
  const kept = before.slice(0, Math.max(0, before.length - arrived));
  return { arrived: last < 0 ? after.length : arrived, isGone: last >= 0 && kept.some((id) => !present.has(id)) };
};

/** Returns the rows on the page, each as the server has it now. None moves. */
export const updatedInPlace = (shown: LoadedEvents, next: LoadedEvents): LoadedEvents => {
  const fresh = new Map(rowsOf(next).map((row) => [eventIdOf(row), row]));
  const now = (row: Patient): Patient => fresh.get(eventIdOf(row)) ?? row;
  return { ...shown, pages: shown.pages.map((page) => ({ ...page, patients: page.patients.map(now) })) };
};
