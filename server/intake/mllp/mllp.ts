/**
 * The MLLP listener: bytes of many connections → frames → stored messages → acknowledgements in the order of the frames. A message that
 * can't be stored is not acknowledged; its connection is closed, so that the sender resends it.
 */
import { createServer, type Socket } from 'node:net';
import tls from 'node:tls';
import type { Logger } from 'pino';
import type { MessageHeader } from '#server/intake/hl7/header.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import { perMinute } from '#server/platform/http/per-minute.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';
import { senderAddress } from '#server/platform/network/sender-address.ts';
import { Connection, type ConnectionDeps } from './connection.ts';
import { FrameMemory } from './frame-memory.ts';
import type { KnownSenders } from './known-senders.ts';
import { MLLP_LIMITS, type MllpLimits } from './limits.ts';
import { Seats } from './seats.ts';

export interface MllpOptions {
  host: string;
  port: number;
  /** Encrypts connections. With `ca`, senders must present a certificate that it signed. */
  tls?: { cert: Buffer; key: Buffer; ca?: Buffer };
  store: MessageStore;
  senders: Pick<KnownSenders, 'isKnown' | 'note' | 'mayStore'>;
  metrics?: Pick<Metrics, 'refused'>;
  log: Logger;
  clock: () => Date;
  limits?: Partial<MllpLimits>;
}

export interface MllpListener {
  port: number;
  connections: () => number;
  /** Accepts no more connections, acknowledges what is being stored, then closes all connections. */
  close: () => Promise<void>;
}

const REFUSED =
  'MLLP: an address without a feed has sent too much today; its messages are refused until tomorrow (UTC)';

export async function listenMllp(options: MllpOptions): Promise<MllpListener> {
  const { senders, store, log } = options;
  const limits = { ...MLLP_LIMITS, ...options.limits };
  const warn = limitedWarnings(options);
  const seats = new Seats(limits, senders.isKnown);
  const memory = new FrameMemory(limits, senders.isKnown);
  const sockets = new Set<Socket>();
  const connections = new Map<Socket, Connection>();

  const serve = (socket: Socket) => {
    const sender = { remote: `${socket.remoteAddress ?? ''}:${socket.remotePort ?? ''}`, address: addressOf(socket) };
    const onStored: ConnectionDeps['onStored'] = ({ id }) => senders.note(sender.address, id);
    const mayStore = (bytes: number, header: MessageHeader | null) => {
      const answer = senders.mayStore(sender.address, { bytes, header });
      if (answer === 'taken') return true;
      options.metrics?.refused.inc();
      if (answer === 'refused-first') warn(sender.address, { address: sender.address }, REFUSED);
      return false;
    };
    const deps = { store, clock: options.clock, onStored, mayStore, limits, memory, warn };
    connections.set(socket, new Connection(socket, sender, deps));
    socket.once('close', () => connections.delete(socket));
  };
  const secure = options.tls && tlsServer(options.tls, { handshakeTimeout: limits.handshakeTime, serve, warn });
  const server = createServer((socket) => {
    const address = addressOf(socket);
    const refusal = seats.take(address);
    if (refusal !== null) {
      warn(address, { address, reason: refusal }, 'MLLP: refused a connection');
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      seats.release(address);
    });
    if (secure) secure.emit('connection', socket);
    else serve(socket);
  });
  const clockwork = setInterval(
    () => {
      const now = performance.now();
      for (const connection of connections.values()) connection.checkFrameTime(now);
    },
    Math.min(1000, limits.frameTime / 4),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A connection that can't be accepted (such as too many open files) must not end the process.
  server.on('error', (error) => log.error({ err: error }, 'MLLP: a connection could not be accepted'));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    connections: () => connections.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of connections.keys()) socket.pause();
      await store.drained();
      for (const socket of connections.keys()) socket.destroySoon();
      // Those left are in a TLS handshake, and have nothing to lose.
      if (secure) for (const socket of sockets) socket.destroySoon();
      clearInterval(clockwork);
      await closed;
    },
  };
}

const addressOf = (socket: Socket): string => senderAddress(socket.remoteAddress);

function tlsServer(
  pem: NonNullable<MllpOptions['tls']>,
  {
    handshakeTimeout,
    serve,
    warn,
  }: { handshakeTimeout: number; serve: (socket: Socket) => void; warn: ConnectionDeps['warn'] },
): tls.Server {
  const checked = { requestCert: !!pem.ca, rejectUnauthorized: !!pem.ca };
  const server = tls.createServer({ ...pem, ...checked, handshakeTimeout }, serve);
  server.on('tlsClientError', (error, socket) => {
    const address = addressOf(socket);
    warn(address, { address, reason: error.message }, 'MLLP: a TLS handshake failed');
    // Node leaves the connection open when the time is over, and it would keep its seat.
    socket.destroy();
  });
  return server;
}

/** Warnings a minute about one address, and about all. A sender that reconnects all the time must not fill the log. */
const WARNINGS = { ofAddress: 5, ofAll: 100 };

function limitedWarnings({ log, clock }: Pick<MllpOptions, 'log' | 'clock'>): ConnectionDeps['warn'] {
  const mayWarn = perMinute(WARNINGS.ofAddress, clock);
  const mayWarnAtAll = perMinute(WARNINGS.ofAll, clock);
  return (address, fields, message) => {
    if (mayWarn(address) && mayWarnAtAll('')) log.warn(fields, message);
  };
}
