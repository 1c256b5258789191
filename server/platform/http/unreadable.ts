/** Requests that never became one: the HTTP parser refused what arrived. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { ERRORS } from '#contract/errors.ts';

/** Answers with an error body as every call has, and closes the connection. Headers beyond Node's limit of 16 KiB are HEADERS_TOO_LARGE. */
export const answerUnreadable =
  (log: FastifyBaseLogger) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const errorKey = error.code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'BAD_REQUEST';
    const requestId = randomUUID();
    const [status, message] = ERRORS[errorKey];
    const body = JSON.stringify({ status, errorKey, message, requestId });
    log.info({ reqId: requestId, status, code: error.code }, 'Unreadable request');
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  };
