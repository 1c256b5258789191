import type { FastifyRequest } from 'fastify';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request is safe from cross-site forgery: it only reads, or comes from one of our pages, or not from a browser. Browsers
 * send Sec-Fetch-Site, which no page can set. Older browsers, and all browsers on plain http, send Origin with requests that are
 * not reads. A request with neither was not sent by a browser, so its sender already had the cookie.
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
