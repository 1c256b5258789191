import type { AdminChange, ChangesFilters } from '#contract/admin-changes.ts';
import { type LoggedAction, MOST_CHANGES_PAGED } from '#contract/audit-log-words.ts';
import { type Route, routes } from '#contract/routes.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { Page } from '../paged.ts';
import { countChanges, findChanges, type LoggedEntry, type LogReader, selectedBy } from './find-changes.ts';

/**
 * Returns a page of the organization's audit log, newest first; an operator's is of every organization, and has sign-ins without an
 * account. Counts and pages up to MOST_CHANGES_PAGED entries.
 */
export async function listChanges(
  db: Queryable,
  reader: LogReader,
  { pageNumber, pageSize, ...filters }: ChangesFilters & Page,
): Promise<{ changes: AdminChange[]; total: number; numPages: number; hasMore: boolean }> {
  const selected = selectedBy(reader, filters);
  const counted = await countChanges(db, selected, MOST_CHANGES_PAGED + 1);
  const total = Math.min(counted, MOST_CHANGES_PAGED);
  const offset = (pageNumber - 1) * pageSize;
  const entries =
    offset < total
      ? await findChanges(db, reader.scope, selected, { limit: Math.min(pageSize, total - offset), offset })
      : [];
  return {
    changes: entries.map(changeOf),
    total,
    numPages: Math.ceil(total / pageSize),
    hasMore: counted > total,
  };
}

/** Returns the entry as administrators read it: with the summary of the route that refused. */
export const changeOf = ({ route, ...entry }: LoggedEntry): AdminChange => ({
  ...entry,
  action: entry.action as LoggedAction,
  call: entry.action === 'access.refused' ? summaryOf(route) : null,
});

/** Up to the first colon or semicolon: what follows says more about the answer than about the call. */
const summaryOf = (route: string | null): string | null =>
  (routes as Record<string, Route | undefined>)[route ?? '']?.summary.split(/[:;] /)[0] ?? null;
