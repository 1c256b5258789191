import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ROSTER_MAX_BYTES, type RosterJob } from '#contract/rosters.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { errorRows, errorsCsv, templateCsv } from './downloads.ts';
import { enqueueUpload, jobById, latestJob, lockUpload, setStatus } from './job.ts';
import { type RosterFile, receiveUpload } from './upload.ts';

export interface RosterDeps {
  /** Connected as the app role. */
  db: Database;
  clock: Clock;
}

/** Routes to upload a roster, follow the job, and download the template and the errors. */
export function rosterRoutes({ db, clock }: RosterDeps): RegisteredRoute[] {
  const asUploader = <T>(actor: Actor, fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canUploadRoster', fn);

  return [
    route('GET /api/rosters/template.csv', ({ reply }) => sendCsv(reply, 'roster-template.csv', templateCsv())),

    route('POST /api/rosters/:groupId/uploads', ({ actor, params, request }) =>
      asUploader(actor, async (tx) => {
        const file = await fileOf(request);
        const job = await receiveUpload(tx, params.groupId, file, clock());
        await audit(tx, 'roster.upload', job, request, clock());
        return job;
      }),
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
        await audit(tx, 'roster.errors', job, request, clock());
        return job;
      });
      const rowsAfter = (after: number) => asUploader(actor, (tx) => errorRows(tx, jobId, after));
      return sendCsv(reply, `roster-${jobId}-errors.csv`, Readable.from(errorsCsv(rowsAfter)));
    }),

    route('POST /api/rosters/uploads/:jobId/confirm', ({ actor, params, request }) =>
      asUploader(actor, (tx) => decide(tx, params.jobId, 'APPLYING', request, clock())),
    ),

    route('POST /api/rosters/uploads/:jobId/cancel', ({ actor, params, request }) =>
      asUploader(actor, (tx) => decide(tx, params.jobId, 'CANCELLED', request, clock())),
    ),
  ];
}

async function findJob(tx: ActorTransaction, jobId: string): Promise<RosterJob> {
  const job = await jobById(tx, jobId, tx.groupIds);
  if (job === null) throw new ApiError('NOT_FOUND');
  return job;
}

/** Confirms or cancels a waiting upload. The job cleans up either way. */
async function decide(
  tx: ActorTransaction,
  jobId: string,
  status: 'APPLYING' | 'CANCELLED',
  request: FastifyRequest,
  now: Date,
): Promise<RosterJob> {
  await findJob(tx, jobId);
  const upload = await lockUpload(tx, jobId);
  if (upload?.status !== 'AWAITING_CONFIRMATION') throw new ApiError('ROSTER_NOT_WAITING');
  await setStatus(tx, upload, status, now);
  await enqueueUpload(tx, jobId);
  const job = await findJob(tx, jobId);
  await audit(tx, status === 'APPLYING' ? 'roster.confirm' : 'roster.cancel', job, request, now);
  return job;
}

/** Accepts one byte more than the limit, so that `receiveUpload` notices; the parser would silently truncate the file. */
async function fileOf(request: FastifyRequest): Promise<RosterFile> {
  const part = request.isMultipart() ? await request.file({ limits: { fileSize: ROSTER_MAX_BYTES + 1 } }) : undefined;
  if (part === undefined || part.fieldname !== 'file') throw new ApiError('ROSTER_FILE_MISSING');
  return { name: part.filename, bytes: part.file };
}

function audit(
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
