import type { FastifyRequest } from 'fastify';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request may change something: it reads, or comes from a page of ours, or from no browser at all. A browser says
 * so itself in Sec-Fetch-Site, which no page can set; older ones, and all on plain http, send Origin with whatever is not a read. A request
 * with neither carries no cookie that its sender did not already have.
 */
export function isSameOrigin(request: FastifyRequest, publicUrl: string): boolean {
  if (READING.has(request.method)) return true;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return origin === new URL(publicUrl).origin || new URL(origin).host === host;
}
