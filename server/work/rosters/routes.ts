import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Relationship } from '#contract/relationships.ts';
import { ROSTER_MAX_BYTES, type RosterJob } from '#contract/rosters.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { beforeStall, SLOWEST_UPLOAD } from '#server/platform/http/receive-bytes.ts';
import { limitUploads, receivingUpload, uploadedFile } from '#server/platform/http/uploaded-file.ts';
import { waitingRosters } from './approval.ts';
import { decideUpload, findJob } from './decisions.ts';
import { errorRows, errorsCsv, templateCsv } from './downloads.ts';
import { ownHeaders } from './group-headers.ts';
import { latestJob } from './job.ts';
import { type RosterFile, receiveUpload } from './upload.ts';

export interface RosterDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
  slowest?: typeof SLOWEST_UPLOAD;
}

/** Routes to upload a roster, follow the job, and download the template and the errors. */
export function rosterRoutes({ db, clock, slowest = SLOWEST_UPLOAD }: RosterDeps): RegisteredRoute[] {
  const uploading = limitUploads();
  const asUploader = <T>(actor: Actor, fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canUploadRoster', fn);

  return [
    route('GET /api/rosters/template.csv', async ({ actor, query: { groupId }, reply }) => {
      const headers = await asUploader(actor, (tx) => {
        if (groupId === undefined) return Promise.resolve(undefined);
        if (!tx.groupIds.includes(groupId)) throw new ApiError('NOT_FOUND');
        return ownHeaders(tx, groupId);
      });
      return sendCsv(reply, 'roster-template.csv', templateCsv(headers));
    }),

    route('POST /api/rosters/:groupId/uploads', ({ actor, params, query, request, reply }) =>
      uploading(actor.userId, () =>
        receivingUpload({ request, reply }, async () => {
          const file = await beforeStall(fileOf(request, query), slowest.milliseconds);
          return receiveUpload(
            {
              asUploader: (fn) => asUploader(actor, fn),
              clock,
              slowest,
              onReceived: (tx, job) => auditJob(tx, 'roster.upload', job, request, clock()),
            },
            params.groupId,
            file,
          );
        }),
      ),
    ),

    route('GET /api/rosters/:groupId/uploads/latest', ({ actor, params }) =>
      asUploader(actor, (tx) => {
        if (!tx.groupIds.includes(params.groupId)) throw new ApiError('NOT_FOUND');
        return latestJob(tx, params.groupId);
      }),
    ),

    route('GET /api/rosters/uploads/:jobId', ({ actor, params }) =>
      asUploader(actor, (tx) => findJob(tx, params.jobId)),
    ),

    route('GET /api/rosters/uploads/:jobId/errors.csv', async ({ actor, params, request, reply }) => {
      // The file leaves while this handler still runs, so its entry is written first.
      const { jobId } = await asUploader(actor, async (tx) => {
        const job = await findJob(tx, params.jobId);
        await auditJob(tx, 'roster.errors', job, request, clock());
        return job;
      });
      const rowsAfter = (after: number) => asUploader(actor, (tx) => errorRows(tx, jobId, after));
      return sendCsv(reply, `roster-${jobId}-errors.csv`, Readable.from(errorsCsv(rowsAfter)));
    }),

    route('GET /api/rosters/waiting', ({ actor }) => asUploader(actor, waitingRosters)),

    route('POST /api/rosters/uploads/:jobId/confirm', ({ actor, params, request }) =>
      asUploader(actor, (tx) => decide(tx, params.jobId, 'APPLYING', request, clock())),
    ),

    route('POST /api/rosters/uploads/:jobId/cancel', ({ actor, params, request }) =>
      asUploader(actor, (tx) => decide(tx, params.jobId, 'CANCELLED', request, clock())),
    ),
  ];
}

/** Decides about a waiting upload, and records who did. */
async function decide(
  tx: ActorTransaction,
  jobId: string,
  status: 'APPLYING' | 'CANCELLED',
  request: FastifyRequest,
  now: Date,
): Promise<RosterJob> {
  const { job, isApproval } = await decideUpload(tx, jobId, status, now);
  if (isApproval) await auditApproval(tx, job, request, now);
  await auditJob(tx, status === 'APPLYING' ? 'roster.confirm' : 'roster.cancel', job, request, now);
  return job;
}

async function fileOf(
  request: FastifyRequest,
  { relationship, preview }: { relationship?: Relationship | undefined; preview: 'true' | 'false' },
): Promise<RosterFile> {
  const part = await uploadedFile(request, ROSTER_MAX_BYTES);
  if (part === undefined) throw new ApiError('ROSTER_FILE_MISSING');
  return { name: part.filename, bytes: part.file, relationship, isPreviewed: preview === 'true' };
}

function auditApproval(tx: ActorTransaction, job: RosterJob, request: FastifyRequest, now: Date): Promise<void> {
  const { jobId, groupId } = job;
  const detail = { uploadId: jobId };
  const entry = { action: 'roster.approve', subject: 'group' as const, subjectId: groupId, detail };
  return writeAudit(tx, { ...entry, requestId: request.id, now });
}

/** Writes an entry about a job with its counts. */
export function auditJob(
  tx: ActorTransaction,
  action: string,
  job: RosterJob,
  request: FastifyRequest,
  now: Date,
): Promise<void> {
  const { jobId, groupId, status, statistics } = job;
  const detail = { groupId, status, ...statistics };
  return writeAudit(tx, { action, subject: 'roster-upload', subjectId: jobId, detail, requestId: request.id, now });
}

function sendCsv(reply: FastifyReply, fileName: string, body: string | Readable): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(body);
}
