import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ExportType } from '#contract/export-fields.ts';
import type { ExportJob } from '#contract/exports.ts';
import type { SearchContext } from '#contract/facets.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { noteQuestion } from '#server/people/audit/audited-call.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { atOnce } from '#server/platform/http/at-once.ts';
import { assertMayList, LIST_PERMISSIONS } from '#server/work/search/access-scope.ts';
import type { SearchPool } from '#server/work/search/search-threads.ts';
import { deleteExport } from './delete-export.ts';
import { fileContent, listContent, openFile } from './downloads.ts';
import { nameOfFilter, parametersOf as parametersOfFilter } from './filter-parameters.ts';
import { listKeys } from './list-keys.ts';
import { findRecentJobs, parametersOf } from './queries.ts';
import { encountersExport, fieldsFor, isLimited, listExport, startExport } from './start-export.ts';

export interface ExportRouteDeps {
  /** Connected as the app role. */
  db: Database;
  pool: SearchPool;
  clock: Clock;
}

/** Files that one person may be downloading at the same time. */
const DOWNLOADS_AT_ONCE = 3;

/** Routes to export encounters and lists, follow the exports, and download their files. */
export function exportRoutes({ db, pool, clock }: ExportRouteDeps): RegisteredRoute[] {
  const mayDownload = atOnce(DOWNLOADS_AT_ONCE);
  const keysOf = (actor: Actor, context: SearchContext, parameters: SearchParameters) =>
    listKeys({ db, pool }, { actor, context, parameters, now: clock(), after: 'now' });

  /** Sends a file, and counts it until it has left or broken off. */
  async function send(reply: FastifyReply, userId: string, open: () => Promise<{ content: Readable; file: FileHead }>) {
    const end = mayDownload(userId);
    if (end === null) throw new ApiError('TOO_MANY_REQUESTS');
    try {
      const { content, file } = await open();
      content.once('close', end);
      return sendFile(reply, file, content);
    } catch (error) {
      end();
      throw error;
    }
  }

  return [
    route(
      'GET /api/export/recent-export-jobs',
      ({ user }): Promise<ExportJob[]> => findRecentJobs(db, user.userId, clock()),
    ),

    route('POST /api/export/fields', ({ actor, body }) => fieldsFor(actor, body.groupIds)),

    route('GET /api/export/patient-active-encounters', ({ actor, query, reply }) =>
      send(reply, actor.userId, async () => {
        const { searchContext: context, filterId } = query;
        assertMayList(actor, context);
        const parameters = onlyActive(await parametersOfFilter(db, actor, filterId));
        noteQuestion({ parameters });
        const keys = await keysOf(actor, context, parameters);
        const content = listContent({ db, actor, context, keys, clock, jobId: null });
        return { content, file: { name: fileName('active-encounters', actor, clock()), exportType: 'CSV' } };
      }),
    ),

    route('POST /api/export/initiate-encounters-export', ({ actor, query, request }) =>
      startExport(db, actor, encountersExport(actor, query), { requestId: request.id, now: clock() }),
    ),

    route(
      'POST /api/export/initiate-list-export',
      async ({ actor, query: { exportType, filterId }, body, request }) => {
        const { searchContext: context } = body;
        assertMayList(actor, context);
        const keys = await keysOf(actor, context, body);
        const filterName = filterId === undefined ? null : await nameOfFilter(db, actor, filterId);
        const groupIds = actor.groupsWith(LIST_PERMISSIONS[context]);
        const of = listExport(context, body, { exportType, keys, groupIds, filterName });
        return startExport(db, actor, of, { requestId: request.id, now: clock() });
      },
    ),

    route('DELETE /api/export/jobs/:jobId', ({ user: { userId }, params: { jobId }, request }) =>
      deleteExport(db, { userId, jobId, requestId: request.id, now: clock() }),
    ),

    route('GET /api/export/jobs/:jobId/file', ({ actor, params: { jobId }, request, reply }) =>
      send(reply, actor.userId, async () => {
        const job = await openFile({ db, actor, jobId, requestId: request.id, clock });
        const asked = parametersOf(job);
        const kind = `${asked.kind === 'LIST' ? LIST_FILES[asked.context] : 'encounters'}${isLimited(asked) ? '-filtered' : ''}`;
        const name = `${fileName(kind, actor, new Date(job.createdAt))}-${job.id}`;
        return { content: fileContent(db, actor, job), file: { name, exportType: job.exportType, bytes: job.bytes } };
      }),
    ),
  ];
}

const onlyActive = (parameters: SearchParameters): SearchParameters => ({
  ...parameters,
  userDefinedFacetPreferences: { ...parameters.userDefinedFacetPreferences, openPatientsOnly: true },
});

interface FileHead {
  /** Without its extension. */
  name: string;
  exportType: ExportType;
  bytes?: number;
}

const LIST_FILES: Record<SearchContext, string> = { ALL: 'patients', PINGS: 'pings', EVENTS: 'events' };

const fileName = (kind: string, { timeZone }: Actor, at: Date): string =>
  `${kind}-${localDateOf(at.getTime(), timeZone)}`;

const MEDIA_TYPES: Record<ExportType, string> = {
  CSV: 'text/csv; charset=utf-8',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

function sendFile(reply: FastifyReply, { name, exportType, bytes }: FileHead, content: Readable): FastifyReply {
  if (bytes !== undefined) reply.header('content-length', bytes);
  return reply
    .type(MEDIA_TYPES[exportType])
    .header('content-disposition', `attachment; filename="${name}.${exportType.toLowerCase()}"`)
    .send(content);
}
