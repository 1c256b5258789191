import type { FastifyRequest } from 'fastify';
import { ApiError } from '#server/platform/http/api-error.ts';

const NO_TOKEN = 'This call needs a token, in the header "Authorization: Bearer …".';

/** Returns the token with which a system calls (RFC 6750, 2.1). Errors: NOT_SIGNED_IN. */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const token = /^Bearer ([A-Za-z0-9_-]{20,200})$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw new ApiError('NOT_SIGNED_IN', { message: NO_TOKEN });
  return token;
}
