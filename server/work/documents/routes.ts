import type { FastifyReply } from 'fastify';
import type { Permission } from '#contract/permissions.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { RunTask } from '#server/platform/threads/task-threads.ts';
import { asAttachment } from '#server/work/care/form-file.ts';
import { listDischargeInfo, summaryByUuid, summaryOfVisit } from './discharge.ts';
import { documentByUuid, documentOf, fileOf, listDocuments, storedOf } from './documents.ts';
import { PAGE_POLICY } from './html.ts';
import { type DocumentRow, patientOfPage } from './queries.ts';
import { openStored, pageOfStored } from './read-stored.ts';

export interface DocumentDeps {
  /** Connected as the app role. */
  db: Database;
  /** Reads documents in threads. */
  runTask: RunTask;
}

/** The documents of patients. */
export function documentRoutes({ db, runTask }: DocumentDeps): RegisteredRoute[] {
  const read = <T>(actor: Actor, flag: Permission, fn: (tx: ActorTransaction) => Promise<T>) =>
    asActor(db, actor, flag, fn, { readOnly: true, byKeys: true });
  // Documents are read after the transaction, so that a long one holds no connection.
  const open = async (actor: Actor, find: (tx: ActorTransaction) => Promise<DocumentRow>) => {
    const stored = await read(actor, 'canViewCcds', async (tx) => storedOf(tx, await find(tx), { isCompared: true }));
    return openStored(runTask, actor.userId, stored);
  };
  const page = async (actor: Actor, patientId: string, find: (tx: ActorTransaction) => Promise<DocumentRow>) =>
    pageOfStored(
      runTask,
      actor.userId,
      await read(actor, 'canViewDischargeSummaries', async (tx) => pageSource(tx, patientId, await find(tx))),
    );
  return [
    route('GET /api/ccd/:id/ccds', ({ actor, params }) =>
      read(actor, 'canViewCcds', (tx) => listDocuments(tx, params.id)),
    ),
    route('GET /api/ccd/ccd_summary', ({ actor, query }) => open(actor, (tx) => documentByUuid(tx, query.uuid))),
    route('GET /api/patients/:id/documents/:uuid', ({ actor, params }) =>
      open(actor, (tx) => documentOf(tx, params.id, params.uuid)),
    ),
    route('GET /api/patients/:id/documents/:uuid/file', async ({ actor, params, query, reply }) => {
      const { row, bytes } = await read(actor, 'canViewCcds', async (tx) => {
        const found = await documentOf(tx, params.id, params.uuid);
        return { row: found, bytes: await fileOf(tx, found, query.original === 'true') };
      });
      return sendFile(reply, row, bytes, { isOriginal: query.original === 'true', isShown: query.view === 'true' });
    }),
    route('GET /api/ccd/:id/discharge-info', ({ actor, params, query }) =>
      read(actor, 'canViewCcdDischargeInfo', (tx) => listDischargeInfo(tx, params.id, query.encounterId)),
    ),
    route('GET /api/ccd/:id/discharge-summary', async ({ actor, params, query, reply }) =>
      sendPage(reply, await page(actor, params.id, (tx) => summaryByUuid(tx, params.id, query.uuid))),
    ),
    route('GET /api/patients/:id/encounters/:encounterId/discharge-summary', async ({ actor, params, reply }) =>
      sendPage(reply, await page(actor, params.id, (tx) => summaryOfVisit(tx, params.id, params.encounterId))),
    ),
  ];
}

/** Returns what a page about the patient is made from. */
async function pageSource(tx: ActorTransaction, patientId: string, row: DocumentRow) {
  const patient = await patientOfPage(tx, patientId.split('_')[0] ?? '');
  if (patient === undefined) throw new ApiError('NOT_FOUND');
  return { patient, stored: await storedOf(tx, row, { isCompared: false }) };
}

const sendPage = (reply: FastifyReply, page: Buffer): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY)
    .header('x-content-type-options', 'nosniff')
    .send(page);

/** Types that a browser shows without running anything. */
const SHOWN: ReadonlySet<string> = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/gif']);
const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/xml': 'xml',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'text/plain': 'txt',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/tiff': 'tif',
};

/** Sends a file: to be saved, or shown without scripts. Its name says nothing about the patient. */
function sendFile(
  reply: FastifyReply,
  row: DocumentRow,
  bytes: Buffer,
  { isOriginal, isShown }: { isOriginal: boolean; isShown: boolean },
): FastifyReply {
  const type = !isOriginal && row.fileMediaType ? row.fileMediaType : row.mediaType;
  const known = Object.hasOwn(EXTENSIONS, type) ? type : 'application/octet-stream';
  const name = `document-${row.uuid.slice(0, 8)}.${EXTENSIONS[known] ?? 'bin'}`;
  return reply
    .type(known)
    .header('content-disposition', isShown && SHOWN.has(known) ? 'inline' : asAttachment(name))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'self'")
    .send(bytes);
}
