/**
 * Tasks that may hold a thread up, such as reading a file that anyone sent, in a few threads of their own. Each user has one task running at
 * a time, so that one person's files never keep another's waiting for more than a thread. `in-task-thread.ts` is the other side.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Turns } from '#server/platform/database/turns.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

const THREADS = 2;
/** In milliseconds: a task that takes longer is ended, with its thread. The largest file that a system really sends takes a tenth of it. */
const LONGEST_TASK = 10_000;
/** Of one user. One who waits gives up after as many milliseconds. */
const MOST_WAITING = 20;
const PATIENCE = 60_000;
/** Of JavaScript's heap, in MiB. A thread that needs more ends, normally without the process. */
const MEMORY = 768;

/** A task was ended because it took too long, or too much memory. */
export class TaskEndedError extends Error {
  override name = 'TaskEndedError';
}

/** Performs a task for a user and returns its result. Errors: TaskEndedError; TOO_MANY_REQUESTS if too many of the user's wait. */
export type RunTask = (userId: string, task: object) => Promise<unknown>;

export type TaskReply = { kind: 'ready' } | { kind: 'done'; result: unknown } | { kind: 'failed'; message: string };

export interface TaskThreadsOptions {
  /** For the log. */
  name: string;
  /** The module that calls `performTasks`. */
  file: URL;
  log: Logger;
  threads?: number;
  /** Tasks of one user that may wait. */
  waiting?: number;
  /** For tests. */
  longestTask?: number;
}

export class TaskThreads {
  readonly #options: Required<TaskThreadsOptions>;
  readonly #users: Turns;
  readonly #threads: Turns;
  readonly #idle = new Set<Worker>();

  constructor(options: TaskThreadsOptions) {
    this.#options = { threads: THREADS, waiting: MOST_WAITING, longestTask: LONGEST_TASK, ...options };
    this.#users = new Turns({ most: 1, waiting: this.#options.waiting, patience: PATIENCE });
    // Users wait, each behind their own tasks; so as many can wait here as there are users.
    this.#threads = new Turns({ most: this.#options.threads, waiting: Number.POSITIVE_INFINITY, patience: PATIENCE });
  }

  readonly run: RunTask = async (userId, task) => {
    const endUser = await this.#users.take(userId);
    if (endUser === null) throw new ApiError('TOO_MANY_REQUESTS');
    try {
      const endThread = await this.#threads.take('');
      if (endThread === null) throw new ApiError('BUSY');
      try {
        return await this.#perform(task);
      } finally {
        endThread();
      }
    } finally {
      endUser();
    }
  };

  /** Ends the threads. Call it once nothing is running any more. */
  async stop(): Promise<void> {
    await Promise.all([...this.#idle].map((worker) => worker.terminate()));
    this.#idle.clear();
  }

  async #perform(task: object): Promise<unknown> {
    const worker = this.#takeIdle() ?? (await this.#start());
    const reply = await this.#ask(worker, task);
    this.#idle.add(worker);
    worker.unref();
    if (reply.kind === 'done') return reply.result;
    throw new Error(`A task failed: ${reply.kind === 'failed' ? reply.message : 'no result'}`);
  }

  #takeIdle(): Worker | undefined {
    const [worker] = this.#idle;
    if (worker !== undefined) this.#idle.delete(worker);
    return worker;
  }

  async #start(): Promise<Worker> {
    const { name, file, log } = this.#options;
    const worker = new Worker(file, { name, resourceLimits: { maxOldGenerationSizeMb: MEMORY } });
    worker.on('error', (error) => log.error({ err: error, thread: name }, 'A thread failed'));
    worker.once('exit', () => this.#idle.delete(worker));
    await replyOf(worker);
    return worker;
  }

  async #ask(worker: Worker, task: object): Promise<TaskReply> {
    const { name, log, longestTask } = this.#options;
    worker.ref();
    const replied = replyOf(worker);
    let isEnded = false;
    const timer = setTimeout(() => {
      isEnded = true;
      void worker.terminate();
    }, longestTask);
    worker.postMessage(task);
    try {
      const reply = await replied;
      if (isEnded) throw new TaskEndedError('A task was done only when it was ended');
      return reply;
    } catch (error) {
      log.warn({ thread: name }, 'A task took too long or too much memory and was ended');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Returns the next message of a thread. Throws TaskEndedError if the thread ends first. */
function replyOf(worker: Worker): Promise<TaskReply> {
  return new Promise((resolve, reject) => {
    const onEnd = () => {
      worker.off('message', onMessage);
      reject(new TaskEndedError('A thread ended before its task'));
    };
    const onMessage = (reply: TaskReply) => {
      worker.off('exit', onEnd);
      resolve(reply);
    };
    worker.once('message', onMessage);
    worker.once('exit', onEnd);
  });
}
