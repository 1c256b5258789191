import type { RouterHistory } from '../router/history.ts';

declare module '../router/history.ts' {
  interface HistoryState {
    /** Where in the history the list is from which a patient was opened; -1 if there is none. */
    listIndex?: number;
  }
}

/** Returns where in the history the page is that is open. */
export const indexOf = ({ location }: RouterHistory): number => location.index;

/** Returns where in the history the list is; -1 if the patient's page was opened without one. */
export const listIndexOf = (history: RouterHistory): number =>
  history.location.state.listIndex ?? Math.max(-1, indexOf(history) - 1);
