import { ApiError } from '../api/error.ts';
import { formatDateTime } from '../ui/format/date.ts';

/** Returns why a decision was not saved or undone. `gone`: what it means that the server doesn't find the match. */
export const whyNot = (error: unknown, gone: string): string => {
  if (!(error instanceof ApiError)) return "Couldn't save this. Check your connection, then try again.";
  if (error.errorKey === 'NOT_FOUND') return gone;
  const { last } = error.standing ?? {};
  return last ? `${error.message} Decided ${formatDateTime(last.date)}.` : error.message;
};

/** Whether the list shows something else by now. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError &&
  ['NOT_FOUND', 'REVIEW_CHANGED', 'REVIEW_DECIDED', 'NOT_LISTED', 'NOT_CLEAR'].includes(error.errorKey);
