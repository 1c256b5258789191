import type { FastifyError, FastifyInstance } from 'fastify';
import { SCIM_ERROR, SCIM_TYPE, type ScimType } from '#contract/scim.ts';
import type { ApiError } from './api-error.ts';
import { answerableError } from './error-handler.ts';
import { parseJson } from './json-parser.ts';

/** Makes a scope take bodies of SCIM's media type, and answer errors as the standard has them (RFC 7644, 3.12 and 8.1). */
export function speakScim(scope: FastifyInstance): void {
  parseJson(scope, SCIM_TYPE);
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const known = answerableError(error, request, reply);
    const scimType = scimTypeOf(known);
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
  });
}

function scimTypeOf(error: ApiError & { scimType?: ScimType }): ScimType | undefined {
  if (error.scimType !== undefined) return error.scimType;
  if (error.key === 'USERNAME_TAKEN' || error.key === 'NAME_TAKEN') return 'uniqueness';
  return error.key === 'BAD_REQUEST' ? 'invalidValue' : undefined;
}

/** With the fields that are wrong, which administrators see in the log of their identity provider. */
const detailOf = ({ message, fields }: ApiError): string =>
  [message, ...Object.entries(fields ?? {}).map(([name, words]) => `${name}: ${words}`)].join(' ');
