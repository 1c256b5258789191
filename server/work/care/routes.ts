import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FORM_MAX_BYTES } from '#contract/care-limits.ts';
import type { Actor, CallStamp } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { beforeStall, SLOWEST_UPLOAD } from '#server/platform/http/receive-bytes.ts';
import { limitUploads, receivingUpload, uploadedFile } from '#server/platform/http/uploaded-file.ts';
import type { RunTask } from '#server/platform/threads/task-threads.ts';
import { addToCareTeam, careTeam, changeCareTeam, endCareTeam, programs } from './care-team.ts';
import { asAttachment } from './form-file.ts';
import { checkForm, chunkOf, openForm, receiveForm, removeForm, storeForm } from './forms.ts';
import {
  addInstruction,
  changeInstruction,
  endInstruction,
  type InstructionIds,
  listInstructions,
} from './instructions.ts';

export interface CareDeps {
  /** Connected as the app role. */
  db: Database;
  /** The connections of `db` that files may use at the same time. */
  uploads: Database;
  clock: Clock;
  /** Checks files in threads. */
  runTask: RunTask;
  slowest?: typeof SLOWEST_UPLOAD;
}

const MISSING = 'No file was received. Choose a PDF, PNG, or JPEG.';

/** Routes of the care team, its care plans, and care instructions with their forms. */
export function careRoutes({ db, uploads, clock, runTask, slowest = SLOWEST_UPLOAD }: CareDeps): RegisteredRoute[] {
  const asEditor = <T>(actor: Actor, fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canEditCarePlans', fn);
  const changeOf = (request: FastifyRequest): CallStamp => ({ now: clock(), requestId: request.id });
  return [
    route('GET /api/patients/:id/programs', ({ actor, params }) =>
      asActor(db, actor, 'canViewPatients', (tx) => programs(tx, params.id), { readOnly: true }),
    ),
    route('GET /api/patients/:id/care-team', ({ actor, params }) =>
      asActor(db, actor, 'canViewPatients', (tx) => careTeam(tx, params.id), { readOnly: true }),
    ),
    route('POST /api/patients/:id/care-team', ({ actor, params, body, request }) =>
      asEditor(actor, (tx) => addToCareTeam(tx, params.id, body, changeOf(request))),
    ),
    route('PUT /api/patients/:id/care-team/:recordId', ({ actor, params, body, request }) =>
      asEditor(actor, (tx) =>
        changeCareTeam(tx, { patientId: params.id, recordId: params.recordId }, body, changeOf(request)),
      ),
    ),
    route('DELETE /api/patients/:id/care-team/:recordId', ({ actor, params, request }) =>
      asEditor(actor, (tx) => endCareTeam(tx, { patientId: params.id, recordId: params.recordId }, changeOf(request))),
    ),
    route('GET /api/patients/:id/instructions', ({ actor, params }) =>
      asActor(db, actor, 'canViewCarePlans', (tx) => listInstructions(tx, params.id), { readOnly: true }),
    ),
    route('POST /api/patients/:id/instructions', ({ actor, params, body, request }) =>
      asEditor(actor, (tx) => addInstruction(tx, params.id, body, changeOf(request))),
    ),
    route('PUT /api/patients/:id/instructions/:instructionId', ({ actor, params, body, request }) =>
      asEditor(actor, (tx) => changeInstruction(tx, idsOf(params), body, changeOf(request))),
    ),
    route('DELETE /api/patients/:id/instructions/:instructionId', ({ actor, params, request }) =>
      asEditor(actor, (tx) => endInstruction(tx, idsOf(params), changeOf(request))),
    ),
    ...formRoutes({ db: uploads, clock, runTask, slowest }),
  ];
}

const idsOf = ({ id, instructionId }: { id: string; instructionId: string }): InstructionIds => ({
  patientId: id,
  instructionId,
});

function formRoutes({ db, clock, runTask, slowest }: Omit<Required<CareDeps>, 'uploads'>): RegisteredRoute[] {
  const uploading = limitUploads();
  const changeOf = (request: FastifyRequest): CallStamp => ({ now: clock(), requestId: request.id });
  return [
    route('POST /api/patients/:id/instructions/:instructionId/form', ({ actor, params, request, reply }) =>
      uploading(actor.userId, () =>
        receivingUpload({ request, reply }, async () => {
          const { name, file } = await beforeStall(fileOf(request), slowest.milliseconds);
          const bytes = await receiveForm(file, checkForm(runTask, actor.userId), slowest);
          return asActor(db, actor, 'canEditCarePlans', (tx) =>
            storeForm(tx, idsOf(params), { name, bytes }, changeOf(request)),
          );
        }),
      ),
    ),

    route('GET /api/patients/:id/instructions/:instructionId/form', async ({ actor, params, request, reply }) => {
      const asReader = <T>(fn: (tx: ActorTransaction) => Promise<T>) => asActor(db, actor, 'canViewCarePlans', fn);
      const form = await asReader((tx) => openForm(tx, idsOf(params), changeOf(request)));
      async function* chunks() {
        for (let position = 0; ; position += 1) {
          const chunk = await asReader((tx) => chunkOf(tx, form.documentKey, position));
          if (!chunk) return;
          yield chunk;
        }
      }
      return sendFile(reply, form.fileName, form.contentType, Readable.from(chunks()));
    }),

    route('DELETE /api/patients/:id/instructions/:instructionId/form', ({ actor, params, request }) =>
      asActor(db, actor, 'canEditCarePlans', (tx) => removeForm(tx, idsOf(params), changeOf(request))),
    ),
  ];
}

async function fileOf(request: FastifyRequest): Promise<{ name: string; file: AsyncIterable<Uint8Array> }> {
  const part = await uploadedFile(request, FORM_MAX_BYTES);
  if (part === undefined) throw new ApiError('BAD_REQUEST', { message: MISSING, fields: { file: MISSING } });
  return { name: part.filename, file: part.file };
}

/** Sends a file that someone uploaded: to be saved, never shown or run in a page of ours. */
function sendFile(reply: FastifyReply, name: string, type: string, body: Readable): FastifyReply {
  return reply
    .type(type)
    .header('content-disposition', asAttachment(name))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(body);
}
