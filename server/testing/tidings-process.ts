/** Runs Tidings as a process of its own, as `npm start` does, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSender, type Sender } from '#demo/live-feed.ts';

export interface TidingsProcess {
  /** Shuts down cleanly, or kills with SIGKILL. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Any key will do: nothing is encrypted that a test reads. */
const TIDINGS_SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

/** What a process of ours gets from the environment of the tests. The cache saves half of the processor time of its start. */
const { PATH, NODE_COMPILE_CACHE } = process.env;

const running = new Set<TidingsProcess>();

/** Stops the processes that a failed test left running. */
export async function stopAllTidings(): Promise<void> {
  await Promise.all([...running].map((tidings) => tidings.stop()));
}

/** Starts Tidings, and resolves once it is ready. `env` is its whole configuration. */
export async function startTidings(env: Record<string, string>): Promise<TidingsProcess> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { PATH, NODE_COMPILE_CACHE, TIDINGS_DEMO: 'off', TIDINGS_LOG_LEVEL: 'silent', TIDINGS_SECRET_KEY, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const first = await Promise.race([once(lines, 'line'), ended.then(() => ['nothing, and ended'])]);
  if (!String(first[0]).startsWith('Tidings is ready')) throw new Error(`Tidings printed ${String(first[0])}`);
  const tidings: TidingsProcess = {
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
      running.delete(tidings);
    },
  };
  running.add(tidings);
  return tidings;
}

/** In milliseconds. */
const RETRY_AFTER = 50;

/**
 * Sends messages like hospitals that never give up: each connection sends one message at a time, and sends it again on a new
 * connection until it is acknowledged. Calls `onAcknowledged` for each message.
 */
export async function sendStubbornly(
  messages: readonly Buffer[],
  {
    port,
    connections,
    onAcknowledged,
  }: { port: number; connections: number; onAcknowledged: (message: Buffer) => void },
): Promise<void> {
  const left = messages.values();
  await Promise.all(Array.from({ length: connections }, work));

  async function work(): Promise<void> {
    let sender: Sender | null = null;
    for (const message of left) {
      for (;;) {
        try {
          sender ??= await openSender('127.0.0.1', port);
          const answer = (await sender.send(message)).toString('latin1');
          if (!/\rMSA.AA/.test(answer)) throw new Error(`A message was answered with ${answer}`);
          onAcknowledged(message);
          break;
        } catch (error) {
          if (error instanceof Error && error.message.startsWith('A message was answered')) throw error;
          sender?.close();
          sender = null;
          await sleep(RETRY_AFTER);
        }
      }
    }
    sender?.close();
  }
}
