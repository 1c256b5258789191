/** The files that leave: finished exports, and lists that are sent while they are read. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Permission } from '#contract/permissions.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { cellsOf, headerOf } from './cells.ts';
import { csvFile } from './files/csv-file.ts';
import { type ListSource, listRows } from './list-rows.ts';
import { findChunk, findFinished, hasLostConsent, hasNewPart2, parametersOf, type StoredJob } from './queries.ts';
import { listColumns, permissionOf } from './run-export.ts';

interface Download {
  db: Database;
  actor: Actor;
  jobId: string;
  requestId: string;
  clock: Clock;
}

/**
 * Returns a finished export for its download, and writes that to the audit log. Errors: NOT_FOUND for another user's, an unfinished and
 * an expired one; NOT_PERMITTED if the user may no longer see all of it; EXPORT_WITHHELD.
 */
export async function openFile({ db, actor, jobId, requestId, clock }: Download): Promise<StoredJob> {
  const now = clock();
  const job = await findFinished(db, jobId, now);
  if (job === null || job.teamId !== actor.teamId) throw new ApiError('NOT_FOUND');
  const permission = permissionOf(parametersOf(job));
  const needed: [Permission, readonly string[]][] = [[permission, job.groupIds], ...permissionsIn(job.held)];
  const isHeld = needed.every(([flag, groupIds]) => groupIds.every((id) => actor.permissions.get(id)?.has(flag)));
  if (!isHeld) throw new ApiError('NOT_PERMITTED');
  await asActor(db, actor, permission, async (tx: ActorTransaction) => {
    if ((job.hasPart2 && (await hasLostConsent(tx, job))) || (await hasNewPart2(tx, job)))
      throw new ApiError('EXPORT_WITHHELD');
    const detail = { rows: job.rows, bytes: job.bytes, exportType: job.exportType, hasPart2: job.hasPart2 };
    await writeAudit(tx, { action: 'export.download', subject: 'export', subjectId: jobId, detail, requestId, now });
  });
  return job;
}

const permissionsIn = (held: StoredJob['held']) => Object.entries(held) as [Permission, string[]][];

/** Returns the content of a finished export. Each chunk is a query of its own, so that a slow download holds no transaction open. */
export function fileContent(db: Database, actor: Actor, job: StoredJob): Readable {
  const permission = permissionOf(parametersOf(job));
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let n = 0; ; n += 1) {
      const chunk = await asActor(db, actor, permission, (tx) => findChunk(tx, job, n), { readOnly: true });
      if (chunk === null) return;
      yield chunk;
    }
  }
  const stored = Readable.from(chunks());
  return job.exportType === 'CSV' ? pipeline(stored, createGunzip(), () => {}) : stored;
}

/** Returns a list as a CSV file that is written while it is sent. */
export function listContent(source: ListSource): Readable {
  const columns = listColumns(source.actor, source.context);
  async function* batches() {
    for await (const rows of listRows(source)) yield rows.map((row) => cellsOf(row, columns));
  }
  return Readable.from(csvFile(headerOf(columns), batches()));
}
