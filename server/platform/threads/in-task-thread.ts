/** The inside of a thread that performs tasks, one after the other (`task-threads.ts`). */
import { parentPort } from 'node:worker_threads';
import type { TaskReply } from './task-threads.ts';

/** Answers the tasks that the thread is sent. Bytes are handed over, not copied. Throws outside of a thread. */
export function performTasks(perform: (task: never) => unknown): void {
  const port = parentPort;
  if (!port) throw new Error('This file must run as a worker thread');
  const send = (reply: TaskReply, bytes: readonly ArrayBuffer[] = []) => port.postMessage(reply, [...bytes]);
  port.on('message', (task: unknown) => {
    try {
      const result = perform(task as never);
      send({ kind: 'done', result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []);
    } catch (error) {
      send({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  send({ kind: 'ready' });
}
