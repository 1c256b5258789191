import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);
/** In characters or bytes. What fits into one packet takes as long without compression. */
const SMALLEST = 1400;

/**
 * Compresses JSON answers for clients that accept gzip, on a thread of Node's pool. Files are compressed when they are built, and streams as they are. No
 * answer has a secret beside what the same request sent, so its length tells nothing (docs/security.md).
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async ({ headers }, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    const isWhole = typeof payload === 'string' || payload instanceof Uint8Array;
    if (!isJson || !isWhole || payload.length < SMALLEST) return payload;
    reply.header('vary', 'accept-encoding');
    if (!acceptsGzip(headers['accept-encoding'])) return payload;
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return compress(payload);
  });
}

const acceptsGzip = (accepted: string | string[] | undefined): boolean =>
  String(accepted ?? '')
    .split(',')
    .some((one) => {
      const [coding, weight = 'q=1'] = one.split(';').map((part) => part.trim().toLowerCase());
      return coding === 'gzip' && Number(weight.slice('q='.length)) > 0;
    });
