/** The demo's hospitals: they continue the world's story over MLLP, at a human pace. */
import { connect, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { encodeFrame, FrameDecoder } from '#server/intake/hl7/frame.ts';
import { liveMessages } from './world/live.ts';
import type { World } from './world/world.ts';

const RECONNECT_AFTER = 2000;

/** Sends live messages to the MLLP listener at `host` and `port` until `stop` is called. */
export function sendLive(
  world: World,
  from: Date,
  { host, port, log }: { host: string; port: number; log: Logger },
): { stop: () => void } {
  const stopped = new AbortController();
  void run();
  return { stop: () => stopped.abort() };

  async function run(): Promise<void> {
    let sender: Sender | null = null;
    for (const { delayMs, message } of liveMessages(world, from.toISOString())) {
      if (!(await pause(delayMs))) break;
      while (!stopped.signal.aborted) {
        try {
          sender ??= await openSender(host, port);
          await sender.send(message.bytes);
          break;
        } catch (error) {
          log.debug({ err: error }, 'Demo: a hospital could not send a message and will retry');
          sender?.close();
          sender = null;
          if (!(await pause(RECONNECT_AFTER))) break;
        }
      }
    }
    sender?.close();
  }

  /** Resolves to false if the feed was stopped during the pause. */
  function pause(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      if (stopped.signal.aborted) return resolve(false);
      const timer = setTimeout(() => {
        stopped.signal.removeEventListener('abort', end);
        resolve(true);
      }, milliseconds);
      const end = () => {
        clearTimeout(timer);
        resolve(false);
      };
      stopped.signal.addEventListener('abort', end, { once: true });
    });
  }
}

export interface Sender {
  /** Sends a message and waits for its acknowledgement. */
  send(message: Buffer): Promise<Buffer>;
  close(): void;
}

/** Opens an MLLP connection that, like a hospital's interface engine, sends one message at a time. */
export async function openSender(host: string, port: number): Promise<Sender> {
  const socket: Socket = connect({ host, port, noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const decoder = new FrameDecoder();
  let waiting: { resolve: (frame: Buffer) => void; reject: (error: Error) => void } | null = null;
  socket.on('data', (chunk) => {
    for (const frame of decoder.push(chunk)) {
      waiting?.resolve(frame);
      waiting = null;
    }
  });
  const fail = () => {
    waiting?.reject(new Error('The receiver closed the connection before it acknowledged'));
    waiting = null;
  };
  socket.on('error', fail);
  socket.on('close', fail);
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) {
          reject(new Error('The connection is closed'));
          return;
        }
        waiting = { resolve, reject };
        socket.write(encodeFrame(message));
      }),
    close: () => socket.destroy(),
  };
}
