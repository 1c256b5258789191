import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';
import { sendError } from './error-handler.ts';

/** Files in this folder have a hash of their content in their names. */
const HASHED = `assets${sep}`;

/**
 * Serves the built pages in `root`. A path without a file extension is a page of the application, so it gets index.html, which
 * does the routing. Unknown paths under /api, missing files, and everything before the pages are built get NOT_FOUND.
 */
export async function serveWeb(app: FastifyInstance, root: string): Promise<void> {
  const isBuilt = existsSync(join(root, 'index.html'));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = relative(root, path).startsWith(HASHED);
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const isPage =
      /^(GET|HEAD)$/.test(request.method) &&
      !/^\/+api(\/|$)/i.test(path) &&
      !path.slice(path.lastIndexOf('/')).includes('.');
    if (isBuilt && isPage) return reply.sendFile('index.html');
    return sendError(new ApiError('NOT_FOUND'), request, reply);
  });
}
