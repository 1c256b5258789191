/** The web server in a process of its own: what sends the requests, reads the answers and changes rows must not hold the thread that is measured. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { startApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { createLog } from '#server/platform/http/log.ts';
import { type Blocks, watchBlocks } from './blocks.ts';

export interface ServerProcess {
  url: string;
  /** Returns how long the thread that serves HTTP was held at most, since the first request. */
  longestBlocks: () => Promise<Blocks>;
  stop: () => Promise<void>;
}

/** Starts the server on the database of `urls`. */
export async function startServer(adminUrl: string, urls: RoleUrls): Promise<ServerProcess> {
  const child = fork(import.meta.filename);
  process.once('exit', () => child.kill());
  child.send({ adminUrl, urls });
  const url = await answerOf<string>(child);
  return {
    url,
    longestBlocks: () => {
      child.send('longest blocks');
      return answerOf<Blocks>(child);
    },
    stop: async () => {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = await once(child, 'message');
  return answer as T;
}

async function serve({ adminUrl, urls }: { adminUrl: string; urls: RoleUrls }): Promise<void> {
  const config = readConfig({
    PORT: '18093',
    DATABASE_URL: adminUrl,
    TIDINGS_ROLES: 'web',
    TIDINGS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const app = await startApp({ config, urls, log: createLog('error') });
  const longestBlocks = watchBlocks();
  process.on('message', (asked) => {
    if (asked === 'longest blocks') process.send?.(longestBlocks());
    else void app.stop().then(() => process.disconnect());
  });
  process.send?.(app.url);
}

if (import.meta.main) process.once('message', (on: Parameters<typeof serve>[0]) => void serve(on));
