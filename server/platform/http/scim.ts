import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SCIM_ERROR, SCIM_TYPE, type ScimType } from '#contract/scim.ts';
import type { ApiError } from './api-error.ts';
import { answerableError } from './error-handler.ts';
import { parseJson } from './json-parser.ts';

/** Makes a scope take bodies of SCIM's media type, and answer errors as the standard has them (RFC 7644, 3.12 and 8.1). */
export function speakScim(scope: FastifyInstance): void {
  parseJson(scope, SCIM_TYPE);
  scope.setErrorHandler((error: FastifyError, request, reply) => sendScimError(error, request, reply));
}

/** Whether a path is one of SCIM, also of an endpoint that we don't have. */
export const isScimPath = (path: string): boolean => /^\/api\/scim(?:\/|$)/.test(path);

/** Answers an error as the standard has it (RFC 7644, 3.12). */
export function sendScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = answerableError(error, request, reply);
  const scimType = scimTypeOf(known);
  // RFC 7644, 2 refers to RFC 6750, 3: a refusal says which credentials are wanted.
  if (known.key === 'NOT_SIGNED_IN') reply.header('www-authenticate', 'Bearer');
  return reply
    .code(known.status)
    .type(SCIM_TYPE)
    .send(
      JSON.stringify({
        schemas: [SCIM_ERROR],
        status: String(known.status),
        ...(scimType === undefined ? {} : { scimType }),
        detail: detailOf(known),
      }),
    );
}

function scimTypeOf(error: ApiError & { scimType?: ScimType }): ScimType | undefined {
  if (error.scimType !== undefined) return error.scimType;
  if (error.key === 'USERNAME_TAKEN' || error.key === 'NAME_TAKEN') return 'uniqueness';
  if (error.key !== 'BAD_REQUEST') return undefined;
  return Object.hasOwn(error.fields ?? {}, 'body') ? 'invalidSyntax' : 'invalidValue';
}

const NO_TOKEN =
  'The token is missing, wrong, expired or revoked. Issue a new one in Tidings, at the connection under Single sign-on, and enter it at the identity provider.';

/** A sentence for the log of the identity provider, which has no form: what is wrong with which field stands alone. */
function detailOf({ key, message, fields = {} }: ApiError): string {
  if (key === 'NOT_SIGNED_IN') return NO_TOKEN;
  const wrong = Object.entries(fields).map(([name, words]) => `${name}: ${words}`);
  return (key === 'BAD_REQUEST' && wrong.length > 0 ? wrong : [message, ...wrong]).join(' ');
}
