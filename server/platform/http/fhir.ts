import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorKey } from '#contract/errors.ts';
import { FHIR_TYPE } from '#contract/fhir.ts';
import type { ApiError } from './api-error.ts';
import { answerableError } from './error-handler.ts';

/** Makes a scope answer errors as an OperationOutcome (FHIR R4, RESTful API). */
export function speakFhir(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => sendOutcome(error, request, reply));
}

/** Whether a path is one of FHIR, also of an interaction that we don't have. */
export const isFhirPath = (path: string): boolean => /^\/fhir(?:\/|$)/.test(path);

export function sendOutcome(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = answerableError(error, request, reply);
  // RFC 6750, 3: a refusal says which credentials are wanted.
  if (known.key === 'NOT_SIGNED_IN') reply.header('www-authenticate', 'Bearer');
  const expression = Object.keys(known.fields ?? {}).filter((path) => path !== '');
  const issue = {
    severity: 'error',
    code: issueTypeOf(known),
    diagnostics: known.message,
    ...(expression.length > 0 && { expression }),
  };
  return reply
    .code(known.status)
    .type(FHIR_TYPE)
    .send(JSON.stringify({ resourceType: 'OperationOutcome', id: request.id, issue: [issue] }));
}

/** Value set issue-type. */
const ISSUE_TYPES: Partial<Record<ErrorKey, string>> = {
  NOT_SIGNED_IN: 'login',
  NOT_FOUND: 'not-found',
  TOO_LARGE: 'too-long',
  TOO_MANY_REQUESTS: 'throttled',
  UNSUPPORTED_TYPE: 'not-supported',
  BUSY: 'transient',
  NOT_READY: 'transient',
  FOREIGN_ORIGIN: 'forbidden',
};

function issueTypeOf({ key, status, fields }: ApiError): string {
  const type = ISSUE_TYPES[key];
  if (type !== undefined) return type;
  if (status >= 500) return 'exception';
  return fields === undefined ? 'structure' : 'invalid';
}
