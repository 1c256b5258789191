/** Routes of the rosters page: earlier uploads, previews, problems by row, undo, and what a group's headers mean. */
import type { FastifyRequest } from 'fastify';
import { ROSTER_SAMPLE_BYTES } from '#contract/roster-limits.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { receiveBytes, SLOWEST_UPLOAD } from '#server/platform/http/receive-bytes.ts';
import { uploadedFile } from '#server/platform/http/uploaded-file.ts';
import { changesOf } from './changes.ts';
import { findJob } from './decisions.ts';
import { forgetHeaders, groupHeaders, mappingOf, setHeaders } from './group-headers.ts';
import { jobsOfGroup } from './job.ts';
import { listedByColumn } from './listed-cells.ts';
import { problemsAfter } from './problems.ts';
import { auditJob, type RosterDeps } from './routes.ts';
import { readSample } from './sample.ts';
import { startUndo } from './undo.ts';
import { checkGroup } from './upload.ts';

export function rosterPageRoutes({ db, clock, slowest = SLOWEST_UPLOAD }: RosterDeps): RegisteredRoute[] {
  const asUploader = <T>(actor: Actor, fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canUploadRoster', fn);
  const changeHeaders = (
    { actor, request }: { actor: Actor; request: FastifyRequest },
    groupId: string,
    { headers, change }: { headers: number; change: (tx: ActorTransaction) => Promise<unknown> },
  ) =>
    asUploader(actor, async (tx) => {
      await checkGroup(tx, groupId);
      await change(tx);
      const detail = { headers };
      const entry = { action: 'roster.headers', subject: 'group' as const, subjectId: groupId, detail };
      await writeAudit(tx, { ...entry, requestId: request.id, now: clock() });
      return groupHeaders(tx, groupId);
    });

  return [
    route('GET /api/rosters/:groupId/uploads', ({ actor, params, query }) =>
      asUploader(actor, (tx) => {
        if (!tx.groupIds.includes(params.groupId)) throw new ApiError('NOT_FOUND');
        return jobsOfGroup(tx, params.groupId, query);
      }),
    ),

    route('GET /api/rosters/uploads/:jobId/changes', ({ actor, params, query }) =>
      asUploader(actor, async (tx) => changesOf(tx, await findJob(tx, params.jobId), query)),
    ),

    route('GET /api/rosters/uploads/:jobId/problems', ({ actor, params, query }) =>
      asUploader(actor, async (tx) => problemsAfter(tx, (await findJob(tx, params.jobId)).jobId, query)),
    ),

    route('POST /api/rosters/uploads/:jobId/undo', ({ actor, params, request }) =>
      asUploader(actor, async (tx) => {
        const job = await findJob(tx, params.jobId);
        const undo = await startUndo(tx, job, clock());
        await auditJob(tx, 'roster.undo', job, request, clock());
        return undo;
      }),
    ),

    route('POST /api/rosters/:groupId/sample', async ({ actor, params, request }) => {
      const { mapping, listed } = await asUploader(actor, async (tx) => {
        await checkGroup(tx, params.groupId);
        return { mapping: await mappingOf(tx, params.groupId), listed: await listedByColumn(tx, params.groupId) };
      });
      const part = await uploadedFile(request, ROSTER_SAMPLE_BYTES);
      if (part === undefined) throw new ApiError('ROSTER_FILE_MISSING');
      const pieces: Uint8Array[] = [];
      for await (const piece of receiveBytes(part.file, ROSTER_SAMPLE_BYTES + 1, slowest)) pieces.push(piece);
      return { ...(await readSample(Buffer.concat(pieces).subarray(0, ROSTER_SAMPLE_BYTES), mapping)), listed };
    }),

    route('GET /api/rosters/:groupId/headers', ({ actor, params }) =>
      asUploader(actor, async (tx) => {
        await checkGroup(tx, params.groupId);
        return groupHeaders(tx, params.groupId);
      }),
    ),

    route('PUT /api/rosters/:groupId/headers', (call) =>
      changeHeaders(call, call.params.groupId, {
        headers: call.body.headers.length,
        change: (tx) => setHeaders(tx, call.params.groupId, call.body.headers, clock()),
      }),
    ),

    route('DELETE /api/rosters/:groupId/headers', async (call) => {
      await changeHeaders(call, call.params.groupId, {
        headers: 0,
        change: (tx) => forgetHeaders(tx, call.params.groupId),
      });
    }),
  ];
}
