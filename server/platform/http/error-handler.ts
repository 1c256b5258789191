import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ZodError } from 'zod';
import { DatabaseBusyError, DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import { ApiError, badField } from './api-error.ts';
import { setInvalidWords } from './invalid-words.ts';

/** Answers every error as defined in the contract. An unexpected error is INTERNAL to the caller, and its stack is logged. */
export function handleErrors(app: FastifyInstance): void {
  setInvalidWords();
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = answerableError(error, request, reply);
  return reply
    .code(known.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(known.body(request.id)));
}

/** Returns what the caller may know of an error, logs one that is our failure, and says when to try again. */
export function answerableError(error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError {
  const known = toApiError(error);
  // Whoever closes the connection before the request has arrived reads no answer, and it is not our failure.
  const isGone = request.raw.destroyed && !request.raw.complete;
  if (known.status >= 500 && !isGone) {
    const line = {
      route: request.routeOptions.config.routeKey,
      userId: request.caller?.user?.userId,
    };
    request.log.error({ ...line, ...(error instanceof ZodError ? wrongAnswer(error) : { err: error }) }, known.key);
  }
  if (known.status === 503) reply.header('retry-after', RETRY_AFTER);
  return known;
}

/** In seconds. */
const RETRY_AFTER = 3;

/** Returns which fields of our own answer violate the contract, without their values. */
const wrongAnswer = (error: ZodError) => ({
  answerIssues: error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`),
  stack: error.stack?.split('\n').filter((line) => line.startsWith('    at ')),
});

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return new ApiError('BAD_REQUEST', { fields: invalidFields(error) });
  if (error instanceof DatabaseBusyError) return new ApiError('BUSY');
  if (error instanceof DatabaseUnavailableError) return new ApiError('NOT_READY');
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string };
  if (statusCode === 413) return new ApiError('TOO_LARGE');
  if (statusCode === 429) return new ApiError('TOO_MANY_REQUESTS');
  if (code === UNREADABLE_CHARACTER) return badField('request', refusal(code));
  // Only Fastify's own errors, such as invalid JSON or a wrong content type: a dependency's 4xx may be our mistake.
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return new ApiError('BAD_REQUEST', { fields: { [code === 'FST_ERR_BAD_URL' ? 'url' : 'body']: refusal(code) } });
  }
  return new ApiError('INTERNAL');
}

/** PostgreSQL's character_not_in_repertoire: U+0000, which may come from JSON or a URL, and never from our own texts. */
const UNREADABLE_CHARACTER = '22021';

const REFUSALS: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The content type of the body is not supported.',
  [UNREADABLE_CHARACTER]: 'Contains an unreadable character.',
};
const refusal = (code: string): string => REFUSALS[code] ?? 'The request could not be read.';

function invalidFields(error: {
  validation: { instancePath: string; message?: string | undefined }[];
  validationContext?: string | undefined;
}): Record<string, string> {
  const part = error.validationContext ?? 'request';
  const name = (path: string) => path.slice(1).replaceAll('/', '.') || part;
  return Object.fromEntries(
    error.validation.map(({ instancePath, message = '' }) => [name(instancePath), message || 'Not valid.']),
  );
}
