/** A sender on a real socket. It writes any bytes, framed correctly or not, and collects the acknowledgements. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FrameDecoder } from '#server/intake/hl7/frame.ts';

export interface MllpClient {
  socket: Socket;
  /** Resolves with the first `count` acknowledgements of the connection, as text. Rejects if the connection ends before. */
  acknowledgements(count: number): Promise<string[]>;
  /** Resolves when either side has ended the connection. */
  ended: Promise<void>;
  close(): void;
}

/** Connects to a port, or uses a socket that is connecting already, such as one with TLS. */
export async function mllpClient(
  port: number,
  socket: Socket = connect({ host: '127.0.0.1', port }),
): Promise<MllpClient> {
  const received: string[] = [];
  const decoder = new FrameDecoder();
  let changed = () => {};
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  void ended.then(() => changed());
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received.push(...decoder.push(chunk).map((frame) => frame.toString('utf8')));
    changed();
  });
  if (socket.connecting) await Promise.race([once(socket, 'connect'), ended]);
  return {
    socket,
    ended,
    acknowledgements: async (count) => {
      while (received.length < count) {
        if (socket.destroyed)
          throw new Error(`The connection ended after ${received.length} acknowledgements of ${count}`);
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
      return received.slice(0, count);
    },
    close: () => socket.destroy(),
  };
}
