import type { FastifyRequest } from 'fastify';
import { DOCUMENT_MAX_BYTES } from '#contract/document-limits.ts';
import { uploadToLink } from '#contract/facility-links.ts';
import type { CheckUpload } from '#server/intake/documents/read-upload.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import { type Sessions, sessionCookieName } from '#server/people/access/session-user.ts';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { perMinute } from '#server/platform/http/per-minute.ts';
import { checkInput } from '#server/platform/http/plain-input.ts';
import { beforeStall, SLOWEST_UPLOAD } from '#server/platform/http/receive-bytes.ts';
import { receivingUpload, uploadedFile } from '#server/platform/http/uploaded-file.ts';
import { createLink, facilityLinks, type LinkDeps, revokeLink } from './facility-links.ts';
import { answerLink, type HolderCall, openLink } from './holders.ts';
import { type HeldUpload, uploadByLink } from './uploads.ts';

export interface FacilityLinkDeps extends LinkDeps {
  clock: Clock;
  checkUpload: CheckUpload;
  /** Finds who is signed in, if anyone is. */
  sessions: Sessions;
  slowest?: typeof SLOWEST_UPLOAD;
}

/** Calls a minute to both public routes together, by one address (perhaps a whole hospital's) and with one link. */
const MOST_BY_ADDRESS = 60;
const MOST_WITH_LINK = 12;

export function facilityLinkRoutes({
  clock,
  checkUpload,
  sessions,
  slowest = SLOWEST_UPLOAD,
  ...deps
}: FacilityLinkDeps): RegisteredRoute[] {
  const by = callAt(clock);
  const byAddress = perMinute(MOST_BY_ADDRESS, clock);
  const withLink = perMinute(MOST_WITH_LINK, clock);
  const holding = { ...deps, publicUrl: deps.config.publicUrl };
  const admit = (address: string, token: string) => {
    if (!byAddress(address) || !withLink(hashOf(token).toString('base64'))) throw new ApiError('TOO_MANY_REQUESTS');
  };
  const cookie = sessionCookieName(deps.config.publicUrl);
  const holderCall = async (request: FastifyRequest): Promise<HolderCall> => {
    const token = request.cookies[cookie];
    const user = token ? await sessions.find(token, false) : null;
    return { now: clock(), requestId: request.id, userId: user?.userId ?? null };
  };
  return [
    route('GET /api/patients/:id/facility-links', (call) => facilityLinks(deps, by(call), call.params.id)),
    route('POST /api/patients/:id/facility-links', (call) => createLink(deps, by(call), call.params.id, call.body)),
    route('DELETE /api/patients/:id/facility-links/:linkId', (call) =>
      revokeLink(deps, by(call), { patientId: call.params.id, linkId: call.params.linkId }),
    ),
    route('POST /api/facility-links/open', async ({ body, request }) => {
      admit(request.ip, body.token);
      return openLink(holding, { now: clock(), requestId: request.id }, body);
    }),
    route('POST /api/facility-links/answer', async ({ body, request }) => {
      admit(request.ip, body.token);
      await answerLink(holding, await holderCall(request), body);
    }),
    route('POST /api/facility-links/upload', ({ request, reply }) =>
      receivingUpload({ request, reply }, async () => {
        const upload = await beforeStall(uploadIn(request), slowest.milliseconds);
        admit(request.ip, upload.proof.token);
        await uploadByLink({ ...holding, check: checkUpload, slowest }, await holderCall(request), upload);
      }),
    ),
  ];
}

const MISSING = 'Choose a file.';

/** Reads a form up to its file. Errors: BAD_REQUEST. */
async function uploadIn(request: FastifyRequest): Promise<HeldUpload> {
  const part = await uploadedFile(request, DOCUMENT_MAX_BYTES);
  if (part === undefined) throw new ApiError('BAD_REQUEST', { message: MISSING, fields: { file: MISSING } });
  const field = part.fields['upload'];
  const written = field !== undefined && 'value' in field ? field.value : null;
  const sent = typeof written === 'string' ? jsonIn(written) : null;
  checkInput({ params: {}, query: {}, body: sent });
  const { data, error } = uploadToLink.safeParse(sent);
  if (error) {
    const fields = Object.fromEntries(error.issues.map(({ path, message }) => [String(path[0] ?? 'upload'), message]));
    throw new ApiError('BAD_REQUEST', { fields });
  }
  const { token, birthDate, ...by } = data;
  return { proof: { token, birthDate }, by, file: part.file };
}

/** Null for a text that is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
