/** FHIR messages that systems post, with the tokens of feeds (`document-calls/tokens.ts`). */
import type { FastifyRequest } from 'fastify';
import { postedBytes } from '#server/intake/document-calls/posted-bytes.ts';
import { senderOfToken } from '#server/intake/document-calls/receive.ts';
import { MOST_BYTES } from '#server/intake/fhir/limits.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import { bearerToken } from '#server/people/access/bearer-token.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { RunTask } from '#server/platform/threads/task-threads.ts';
import { capabilityOf } from './capability.ts';
import { receiveFhir } from './receive.ts';

export interface FhirCallDeps {
  db: Database;
  clock: Clock;
  store: MessageStore;
  /** Looks at messages in a thread: anyone with a token may send one that takes long. */
  runTask: RunTask;
  publicUrl: string;
}

const TOO_LARGE = `The message is larger than ${MOST_BYTES / 1024 / 1024} MB, so it was not stored.`;
const EMPTY = 'The body is empty. Send a Bundle of type message as the body.';

export function fhirCallRoutes(deps: FhirCallDeps): RegisteredRoute[] {
  const { db, clock } = deps;
  const capability = capabilityOf(deps.publicUrl, clock());
  return [
    route('GET /fhir/metadata', () => capability),
    route('POST /fhir/$process-message', async ({ request }) => {
      const now = clock();
      const sender = await senderOfToken(db, hashOf(bearerToken(request)), 'FHIR', now);
      checkType(request);
      const raw = await postedBytes(request, { most: MOST_BYTES, tooLarge: TOO_LARGE, empty: EMPTY });
      return receiveFhir(deps, { raw, sender, remote: request.ip, now });
    }),
  ];
}

const JSON_TYPES = new Set(['application/fhir+json', 'application/json', 'application/json+fhir', 'text/json']);
const WRONG_TYPE = 'Only JSON is accepted, so nothing was stored. Send the message as application/fhir+json.';

/** Errors: UNSUPPORTED_TYPE. */
function checkType({ headers }: FastifyRequest): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (!JSON_TYPES.has(type.trim().toLowerCase())) throw new ApiError('UNSUPPORTED_TYPE', { message: WRONG_TYPE });
}
