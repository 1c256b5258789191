/** The inside of a watched thread (`watched-thread.ts`). */
import { parentPort, workerData } from 'node:worker_threads';
import { Progress } from './progress.ts';

export interface ThreadContext {
  send: (message: unknown) => void;
  /** Names the work that the thread is doing by itself; null when it is done. */
  workOn: (id: string | null) => void;
}

export interface ThreadBody {
  receive?: (message: never) => void;
  /** Finishes what was started and closes everything that keeps the thread alive. */
  stop: () => Promise<void>;
}

/** Runs the thread's body until the thread that started it asks it to stop. Throws outside of a thread. */
export async function runInThread<Data>(
  start: (data: Data, context: ThreadContext) => Promise<ThreadBody> | ThreadBody,
): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('This file must run as a worker thread');
  const { data, progress: buffer, beat } = workerData as { data: Data; progress: SharedArrayBuffer; beat: number };
  const progress = new Progress(buffer);
  const beating = setInterval(() => progress.beat(), beat);
  const body = await start(data, {
    send: (message) => port.postMessage(message),
    workOn: (id) => {
      progress.workingOn = id;
    },
  });
  port.on('message', (message: unknown) => {
    if (message !== 'stop') return body.receive?.(message as never);
    void body.stop().then(() => {
      clearInterval(beating);
      port.close();
    });
  });
  port.postMessage('ready');
}
