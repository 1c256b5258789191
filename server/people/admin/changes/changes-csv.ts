import type { AdminChange, ChangesFilters } from '#contract/admin-changes.ts';
import { authorWords, entryWords, MOST_CHANGES_EXPORTED } from '#contract/audit-log-words.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { csvLine } from '#server/platform/text/csv-line.ts';
import { readAsAdmin } from '../administer.ts';
import { findChanges, selectedBy } from './find-changes.ts';
import { changeOf } from './list-changes.ts';

/** The last one for operators, who see several. */
const HEADER = ['Date (UTC)', 'Who', 'What', 'Action', 'IP address', 'Details', 'Organization'];

/**
 * Returns the entries that the filters select as a file, newest first and up to MOST_CHANGES_EXPORTED, and writes the audit entry first.
 * Details are codes and ids, as JSON.
 */
export async function changesCsv(db: Database, call: ActorCall, filters: ChangesFilters): Promise<string> {
  const { actor, requestId, now } = call;
  const { organizationId, timeZone } = actor;
  const found = await readAsAdmin(db, actor, (tx, scope) =>
    findChanges(tx, scope, selectedBy({ scope, timeZone }, filters), { limit: MOST_CHANGES_EXPORTED + 1, offset: 0 }),
  );
  const changes = found.slice(0, MOST_CHANGES_EXPORTED).map(changeOf);
  const detail = { ...filters, rows: changes.length };
  await asActor(db, actor, 'canManageUsers', (tx) =>
    writeAudit(tx, {
      action: 'audit-log.export',
      subject: 'organization',
      subjectId: organizationId,
      detail,
      requestId,
      now,
    }),
  );
  const rest =
    found.length > changes.length ? [['Older entries are not in this file. Filter by date to get them.']] : [];
  const isOfSeveral = changes.some(({ organization }) => organization);
  const lines = [HEADER, ...changes.map(lineOf)].map((line) => (isOfSeveral ? line : line.slice(0, -1)));
  return [...lines, ...rest].map(csvLine).join('');
}

const lineOf = (change: AdminChange): string[] => [
  change.date,
  authorWords(change),
  entryWords(change),
  change.action,
  change.address ?? '',
  Object.keys(change.detail).length > 0 ? JSON.stringify(change.detail) : '',
  change.organization?.name ?? '',
];
