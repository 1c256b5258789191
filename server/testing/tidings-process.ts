/** Tidings as a process of its own, started as `npm start` does, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSender, type Sender } from '#demo/live-feed.ts';

export interface TidingsProcess {
  /** In order, or at once with SIGKILL. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const running = new Set<TidingsProcess>();

/** What a test that failed left behind. */
export async function stopAllTidings(): Promise<void> {
  await Promise.all([...running].map((tidings) => tidings.stop()));
}

/** Resolves once it is ready. `env`: its whole configuration. */
export async function startTidings(env: Record<string, string>): Promise<TidingsProcess> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { PATH: process.env.PATH, TIDINGS_DEMO: 'off', TIDINGS_LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const first = await Promise.race([once(lines, 'line'), ended.then(() => ['nothing: it ended'])]);
  if (!String(first[0]).startsWith('Tidings is ready')) throw new Error(`Tidings said ${String(first[0])}`);
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

const TRY_AGAIN_AFTER = 50;

/**
 * Hospitals that never give up: so many connections, each with one message under way, which it sends again on a new connection until
 * it is acknowledged. `onAcknowledged` hears of each.
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
          await sleep(TRY_AGAIN_AFTER);
        }
      }
    }
    sender?.close();
  }
}
