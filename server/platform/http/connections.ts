import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { senderAddress } from '#server/platform/network/sender-address.ts';

export interface ConnectionLimits {
  /** Connections in all. Beyond, the server closes new ones at once, so that feeds and the database always get theirs. */
  most: number;
  /** Connections of one address (of IPv6, a network). A whole hospital may share one, and a browser opens six. */
  perAddress: number;
  /** Requests of one connection that wait for their answers. No browser or proxy sends one before the last is answered. */
  unanswered: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { most: 8000, perAddress: 3000, unanswered: 4 };

/** Time that the head of a request may take, from the opening of its connection, and how often that is checked. In milliseconds. */
export const SLOWEST_HEAD = { headersTimeout: 20_000, connectionsCheckingInterval: 5000 };

/**
 * Limits how many connections a client can hold, and how much it can ask for on one of them without reading the answers. `isProxy`: whether
 * an address is a trusted proxy's, whose connections are everyone's.
 */
export function limitConnections(
  app: FastifyInstance,
  { most, perAddress, unanswered }: ConnectionLimits,
  isProxy: (address: string) => boolean,
): void {
  const { server } = app;
  const connections = new Map<string, number>();
  server.maxConnections = most;
  server.on('connection', (socket: Socket) => {
    const address = senderAddress(socket.remoteAddress);
    const count = (connections.get(address) ?? 0) + 1;
    if (count > perAddress && !isProxy(socket.remoteAddress ?? '')) return void socket.destroy();
    connections.set(address, count);
    socket.once('close', () => {
      const left = (connections.get(address) ?? 0) - 1;
      if (left > 0) connections.set(address, left);
      else connections.delete(address);
    });
  });
  const open = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (open.get(socket) ?? 0) + 1;
    if (count > unanswered) {
      reply.hijack();
      socket.destroy();
      return;
    }
    open.set(socket, count);
    reply.raw.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1));
    done();
  });
}
