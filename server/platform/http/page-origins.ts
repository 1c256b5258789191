import type { FastifyInstance, FastifyRequest } from 'fastify';

/** For each kind, the origins whose pages may frame the requested page, and those that it may post forms to besides our own. */
export type PageOrigins = Record<'frame' | 'form', (request: FastifyRequest) => Promise<readonly string[]>>;

/** What the policy of each page says, and how it begins where origins follow. */
const DIRECTIVES = {
  frame: { default: "frame-ancestors 'none'", allowing: 'frame-ancestors' },
  form: { default: "form-action 'self'", allowing: "form-action 'self'" },
} as const;

/**
 * Lets pages of these origins, and no others, show the requested page in a frame, as an EHR does, and lets it post forms there, as to an exchange.
 * Applies to HTML only; all other answers keep the default headers. The origins are asked for each page, so that disabling a connection takes effect
 * at once; if that fails, the defaults stay.
 */
export function allowOrigins(app: FastifyInstance, origins: PageOrigins): void {
  app.addHook('onSend', async (request, reply) => {
    // 'Not modified' has no content type, but its headers replace those of the cached page (RFC 9111, 4.3.4).
    const mayBePage = reply.statusCode === 304 || String(reply.getHeader('content-type')).startsWith('text/html');
    if (!mayBePage) return;
    for (const kind of ['frame', 'form'] as const) {
      const allowed = await origins[kind](request).catch((error: unknown) => {
        request.log.warn({ err: error, kind }, 'Cannot load the origins that a page allows');
        return [];
      });
      if (allowed.length === 0) continue;
      const directive = DIRECTIVES[kind];
      const policy = String(reply.getHeader('content-security-policy'));
      const allowing = `${directive.allowing} ${allowed.join(' ')}`;
      reply.header('content-security-policy', policy.replace(directive.default, allowing));
      if (kind === 'frame') reply.removeHeader('x-frame-options');
    }
  });
}
