import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPagePath } from '#contract/page-paths.ts';
import { ApiError } from './api-error.ts';
import { sendError } from './error-handler.ts';
import { isFhirPath, sendOutcome } from './fhir.ts';
import { isScimPath, sendScimError } from './scim.ts';

/** Files in this folder have a hash of their content in their names. */
const HASHED = `assets${sep}`;

/**
 * Serves the built pages in `root`. The paths of the application get index.html, which does the routing; every other path without a file
 * gets NOT_FOUND, for browsers with index.html, which says so to users and asks everyone else to sign in. Before the pages are built
 * everything does. `sessionCookie`: the name of the cookie of users who are signed in.
 */
export async function serveWeb(app: FastifyInstance, root: string, sessionCookie: string): Promise<void> {
  const index = join(root, 'index.html');
  const page = existsSync(index) ? readFileSync(index, 'utf8') : null;
  if (page !== null) {
    await app.register(fastifyStatic, {
      root,
      index: false,
      // A route per file: otherwise the package lists the folder for each request, to compare the name's spelling.
      wildcard: false,
      // Files only: for a folder, the package would fail for clients that accept no compression.
      allowedPath: (path) => path !== '/index.html' && !path.endsWith('/'),
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = relative(root, path).startsWith(HASHED);
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    // Without it, a parameter that is too long would be refused by the router itself.
    app.get('/*', (_request, reply) => reply.callNotFound());
  }
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const isPage = isPagePath(path);
    if (page !== null && /^(GET|HEAD)$/.test(request.method) && (isPage || wantsPage(request))) {
      if (isPage && BEHIND_SIGN_IN.test(path) && request.cookies[sessionCookie]) reply.header('link', USER_FIRST);
      return sendPage(reply.code(isPage ? 200 : 404), page);
    }
    const send = isScimPath(path) ? sendScimError : isFhirPath(path) ? sendOutcome : sendError;
    return send(new ApiError('NOT_FOUND'), request, reply);
  });
}

const BEHIND_SIGN_IN = /^\/(dashboard|hospital|ehr)\//;

/**
 * The browser asks who the user is while it loads the scripts, which ask the same first. On other pages, or without a session, the answer could be kept
 * until someone else has signed in.
 */
const USER_FIRST = '</api/me>; rel=preload; as=fetch; crossorigin';

/** A browser that opens an address; its scripts' calls under /api don't ask for HTML. */
const wantsPage = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/.test(headers.accept ?? '');

/** What `web/index.html` has in place of the nonce. */
const NONCE_PLACEHOLDER = 'nonce-of-this-page';

/** Sends the application. Only styles with this page's nonce apply, so the page must not be used again from a cache. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header('content-security-policy', policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`));
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.replace(NONCE_PLACEHOLDER, nonce));
}
