/**
 * The MLLP listener: bytes of many connections → frames → stored messages → acknowledgements in the order of the frames. A message that
 * can't be stored is not acknowledged; its connection is closed, so that the sender resends it.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import type { Logger } from 'pino';
import { acknowledgementMode, buildAck } from '#server/intake/hl7/ack.ts';
import { splitMessages } from '#server/intake/hl7/batch.ts';
import { encodeFrame, FrameDecoder } from '#server/intake/hl7/frame.ts';
import { type MessageHeader, readMessageHeader } from '#server/intake/hl7/header.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import { describeMessage } from './describe-message.ts';

export interface MllpOptions {
  host: string;
  port: number;
  /** Encrypts connections. With `ca`, senders must present a certificate that it signed. */
  tls?: { cert: Buffer; key: Buffer; ca?: Buffer };
  store: MessageStore;
  log: Logger;
  clock: () => Date;
  /** Milliseconds without data after which a connection is closed. Senders reconnect. */
  idleTimeout?: number;
  maxFrameBytes?: number;
  maxConnections?: number;
}

export interface MllpListener {
  port: number;
  connections: () => number;
  /** Accepts no more connections, acknowledges what is being stored, then closes all connections. */
  close: () => Promise<void>;
}

const IDLE_TIMEOUT = 30 * 60 * 1000;
const MAX_CONNECTIONS = 1000;
/** Milliseconds between checks whether a paused connection can resume. */
const RESUME_CHECK = 20;

export async function listenMllp(options: MllpOptions): Promise<MllpListener> {
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveConnection(socket, options);
  };
  const server: Server = options.tls
    ? tls.createServer({ ...options.tls, requestCert: !!options.tls.ca, rejectUnauthorized: !!options.tls.ca }, serve)
    : createServer(serve);
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  server.on('tlsClientError', (error) => options.log.warn({ reason: error.message }, 'MLLP: a TLS handshake failed'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A connection that can't be accepted (such as too many open files) must not end the process.
  server.on('error', (error) => options.log.error({ err: error }, 'MLLP: a connection could not be accepted'));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    connections: () => sockets.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.pause();
      await options.store.drained();
      for (const socket of sockets) socket.destroySoon();
      await closed;
    },
  };
}

function serveConnection(socket: Socket, options: MllpOptions): void {
  const { log, store } = options;
  const remote = `${socket.remoteAddress ?? ''}:${socket.remotePort ?? ''}`;
  const decoder = new FrameDecoder(options.maxFrameBytes);
  // Frames are stored in parallel and acknowledged in order.
  let answered: Promise<void> = Promise.resolve();

  const close = (reason: string, error?: unknown) => {
    log.warn(
      { remote, reason, error: error instanceof Error ? error.message : undefined },
      'MLLP: closed a connection',
    );
    socket.destroy();
  };
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 60_000);
  socket.setTimeout(options.idleTimeout ?? IDLE_TIMEOUT, () => close('idle for too long'));
  socket.on('error', (error) => log.info({ remote, reason: error.message }, 'MLLP: connection lost'));
  socket.on('close', () => {
    if (decoder.garbageBytes > 0)
      log.warn({ remote, bytes: decoder.garbageBytes }, 'MLLP: dropped bytes outside of frames');
  });
  socket.on('data', (chunk) => {
    let frames: Buffer[];
    try {
      frames = decoder.push(chunk);
    } catch (error) {
      close('a frame is too long', error);
      return;
    }
    for (const frame of frames) {
      const answer = receiveFrame(frame, remote, options);
      answered = Promise.all([answered, answer]).then(
        ([, acknowledgements]) => {
          for (const ack of acknowledgements) if (socket.writable) socket.write(encodeFrame(ack));
        },
        (error: unknown) => {
          if (!socket.destroyed) close('a message could not be stored', error);
        },
      );
    }
    if (store.isFull) pauseUntilStored(socket, store);
  });
}

function pauseUntilStored(socket: Socket, store: MessageStore): void {
  socket.pause();
  const check = setInterval(() => {
    if (store.isFull && !socket.destroyed) return;
    clearInterval(check);
    socket.resume();
  }, RESUME_CHECK);
}

/** Stores every message of a frame and returns the acknowledgements that the first one requests. Rejects if a message wasn't stored. */
export async function receiveFrame(
  frame: Buffer,
  remote: string,
  { store, clock }: Pick<MllpOptions, 'store' | 'clock'>,
): Promise<Buffer[]> {
  const receivedAt = clock();
  const messages = splitMessages(frame);
  const headers = messages.map(readMessageHeader);
  const header = headers[0] ?? null;
  const stored =
    messages.length === 0
      ? [store.receive(describeMessage(frame, receivedAt, remote, null))]
      : messages.map((raw, index) => store.receive(describeMessage(raw, receivedAt, remote, headers[index])));
  await Promise.all(stored);
  const now = clock();
  const ack = (code: 'AA' | 'AE' | 'CA', text?: string) =>
    buildAck(header, { code, text, controlId: randomUUID().slice(0, 20), now });
  if (!header) return [ack('AE', 'The frame has no readable MSH segment')];
  return acknowledgementCodes(header).map((code) => ack(code));
}

/** Returns what MSH-15 and MSH-16 request for a success; storing the message counts as one (HL7 v2 chapter 2.9). */
function acknowledgementCodes(header: MessageHeader): ('AA' | 'CA')[] {
  const mode = acknowledgementMode(header);
  if (mode.mode === 'original') return ['AA'];
  const wanted = (condition: string) => condition === 'AL' || condition === 'SU';
  return [...(wanted(mode.accept) ? ['CA' as const] : []), ...(wanted(mode.application) ? ['AA' as const] : [])];
}
