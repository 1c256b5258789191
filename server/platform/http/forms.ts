import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Lets the requested page post a form to these origins, besides our own. Applies to HTML only. `origins` is called for each page; if it fails, forms
 * reach our own origin alone.
 */
export function allowForms(
  app: FastifyInstance,
  origins: (request: FastifyRequest) => Promise<readonly string[]>,
): void {
  app.addHook('onSend', async (request, reply) => {
    const mayBePage = reply.statusCode === 304 || String(reply.getHeader('content-type')).startsWith('text/html');
    if (!mayBePage) return;
    const allowed = await origins(request).catch((error: unknown) => {
      request.log.warn({ err: error }, 'Cannot load the origins that this page may post forms to');
      return [];
    });
    if (allowed.length === 0) return;
    const policy = String(reply.getHeader('content-security-policy'));
    reply.header(
      'content-security-policy',
      policy.replace("form-action 'self'", `form-action 'self' ${allowed.join(' ')}`),
    );
  });
}
