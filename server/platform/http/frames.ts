import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Lets pages of these origins, and no others, show the requested page in a frame, as an EHR does. Applies to HTML only; all other answers
 * keep the default headers, which forbid framing. `origins` is called for each page, so that disabling a connection takes effect
 * at once; if it fails, framing stays forbidden.
 */
export function allowFrames(
  app: FastifyInstance,
  origins: (request: FastifyRequest) => Promise<readonly string[]>,
): void {
  app.addHook('onSend', async (request, reply) => {
    // 'Not modified' has no content type, but its headers replace those of the cached page (RFC 9111, 4.3.4).
    const mayBePage = reply.statusCode === 304 || String(reply.getHeader('content-type')).startsWith('text/html');
    if (!mayBePage) return;
    const allowed = await origins(request).catch((error: unknown) => {
      request.log.warn({ err: error }, 'Cannot load the origins that may frame this page');
      return [];
    });
    if (allowed.length === 0) return;
    const policy = String(reply.getHeader('content-security-policy'));
    reply.header(
      'content-security-policy',
      policy.replace("frame-ancestors 'none'", `frame-ancestors ${allowed.join(' ')}`),
    );
    reply.removeHeader('x-frame-options');
  });
}
