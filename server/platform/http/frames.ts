import type { FastifyInstance } from 'fastify';

/**
 * Lets pages of these origins, and no others, frame our pages: an EHR shows us within its own. Only HTML is ever framed; everything
 * else keeps the refusal that the server's headers begin with. Asked for on each page, so that a connection that is switched off
 * counts at once; where nobody can be asked, the refusal stands.
 */
export function allowFrames(app: FastifyInstance, origins: () => Promise<readonly string[]>): void {
  app.addHook('onSend', async (request, reply) => {
    // 'Not modified' has no type, but its headers replace those of the page that the browser keeps (RFC 9111, 4.3.4).
    const mayBePage = reply.statusCode === 304 || String(reply.getHeader('content-type')).startsWith('text/html');
    if (!mayBePage) return;
    const allowed = await origins().catch((error: unknown) => {
      request.log.warn({ reqId: request.id, err: error }, 'Cannot tell who may frame this page');
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
