import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerFactory } from 'fastify';
import { senderAddress } from '#server/platform/network/sender-address.ts';
import { atOnce } from './at-once.ts';

export interface ConnectionLimits {
  /** Connections in all. Beyond, the server closes new ones at once, so that feeds and the database always get theirs. */
  most: number;
  /** Connections of one address (of IPv6, a network). A whole hospital may share one, and a browser opens six. */
  perAddress: number;
  /** Requests of one connection that wait for their answers. No browser or proxy sends one before the last is answered. */
  unanswered: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { most: 8000, perAddress: 3000, unanswered: 4 };

/** Milliseconds that the head of a request may take, from the opening of its connection, and how often that is checked. */
const SLOWEST_HEAD = { headersTimeout: 20_000, connectionsCheckingInterval: 5000 };
/** In milliseconds. Longer than a balancer's usual 60 seconds, so that no connection is closed while it is used again. */
const IDLE = 72_000;
/** Milliseconds after which a connection to close is closed, if its client sends nothing more. */
const LINGER = 5000;

export interface LimitedServerOptions {
  limits: ConnectionLimits;
  /** Milliseconds that a whole request may take to arrive. */
  requestTimeout: number;
  /** Whether an address is a trusted proxy's, whose connections are everyone's. */
  isProxy: (address: string) => boolean;
}

/** Returns a factory of servers that limit how many connections a client holds, and how much it asks for without reading the answers. */
export function limitedServer({ limits, requestTimeout, isProxy }: LimitedServerOptions): FastifyServerFactory {
  return (answer) => {
    const unanswered = new WeakMap<Socket, number>();
    const newest = new WeakMap<Socket, IncomingMessage>();
    // Before anything is made for the request: thousands may be in one packet, and all of them still come after the connection is closed.
    const server = createServer({ ...SLOWEST_HEAD, requestTimeout, keepAliveTimeout: IDLE }, (request, response) => {
      const { socket } = request;
      const count = (unanswered.get(socket) ?? 0) + 1;
      if (count > limits.unanswered) return void socket.destroy();
      unanswered.set(socket, count);
      newest.set(socket, request);
      response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
      answer(request, response);
    });
    server.maxConnections = limits.most;
    server.on('connection', (socket) => closeInStages(socket, () => newest.get(socket)?.complete === false));
    limitByAddress(server, limits.perAddress, isProxy);
    return server;
  };
}

/**
 * Makes Node close a connection in stages if its client is still sending when it has its answer: first only the side of the server, and
 * all of it once the client has finished (RFC 9112, 9.6). Otherwise the client's data meets a closed connection, which is reset, and
 * the answer is lost. The time that a whole request may take still applies.
 */
function closeInStages(socket: Socket, isSending: () => boolean): void {
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (!isSending()) return close();
    socket.setTimeout(LINGER, () => socket.destroy());
    socket.end();
  };
}

function limitByAddress(server: Server, most: number, isProxy: (address: string) => boolean): void {
  const take = atOnce(most);
  server.on('connection', (socket) => {
    if (isProxy(socket.remoteAddress ?? '')) return;
    const release = take(senderAddress(socket.remoteAddress));
    if (release === null) socket.destroy();
    else socket.once('close', release);
  });
}
