/**
 * A thread of the process that is watched from outside: it is ended when its event loop stands still, and replaced whenever it ends.
 * `in-thread.ts` is the other side.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Progress } from './progress.ts';

/** In milliseconds: a thread that doesn't get back to its event loop for this long is ended. A batch of messages takes less than one second. */
export const LONGEST_STANDSTILL = 30_000;
/** How often a standstill is looked for before it counts. Missed looks are counted, not time: a machine that slept has missed one. */
const LOOKS = 30;
/** In milliseconds, so that a thread that can't start doesn't keep the machine busy. */
const RESTART_AFTER = 1000;
/** Of JavaScript's heap, in MiB. A thread that needs more ends, normally without the process. */
const MEMORY = 1024;

export interface ThreadEnd {
  /** Whether it was ended because it stood still. */
  stoodStill: boolean;
  /** The id of the work that the thread was doing by itself, or null. */
  workingOn: string | null;
}

export interface ThreadOptions {
  /** For the log. */
  name: string;
  /** The module that calls `runInThread`. */
  file: URL;
  /** What `runInThread` gets; cloned. */
  data: object;
  log: Logger;
  onMessage?: (message: never) => void;
  /** Called when the thread ended by itself or was ended, before the next one starts. */
  onEnd?: (end: ThreadEnd) => Promise<void> | void;
  /** For tests. */
  longestStandstill?: number | undefined;
}

export class WatchedThread {
  readonly #options: ThreadOptions;
  #worker: Worker | null = null;
  #isStopped = false;
  #next: Promise<void> = Promise.resolve();

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Starts the thread and resolves once it is ready. Rejects if it can't start. */
  start(): Promise<void> {
    this.#isStopped = false;
    return new Promise((resolve, reject) => {
      let isReady = false;
      const worker = this.#launch(() => {
        isReady = true;
        resolve();
      });
      const fail = (error: Error) => {
        if (isReady) return;
        this.#isStopped = true;
        reject(error);
      };
      worker.once('error', fail);
      worker.once('exit', () => fail(new Error(`The ${this.#options.name} thread ended before it was ready`)));
    });
  }

  /** Sends a message to the thread. Returns false, and sends nothing, while the thread is being replaced. */
  post(message: unknown): boolean {
    this.#worker?.postMessage(message);
    return this.#worker !== null;
  }

  /** Lets the thread finish what it has started, then ends it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const worker = this.#worker;
    if (worker) {
      const gone = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage('stop');
      await gone;
    }
    await this.#next;
  }

  #launch(onReady: () => void = () => {}): Worker {
    const { name, file, data, longestStandstill = LONGEST_STANDSTILL } = this.#options;
    const progress = new Progress();
    const every = longestStandstill / LOOKS;
    const worker = new Worker(file, {
      name,
      workerData: { data, progress: progress.buffer, beat: every / 2 },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    this.#worker = worker;
    const end: ThreadEnd = { stoodStill: false, workingOn: null };
    let looks: NodeJS.Timeout | undefined;
    const watch = () => {
      looks = lookAt(progress, every, () => {
        end.stoodStill = true;
        void worker.terminate();
      });
    };
    worker.on('message', (message: unknown) => {
      if (message !== 'ready') return this.#options.onMessage?.(message as never);
      watch();
      onReady();
    });
    worker.on('error', (error) => this.#options.log.error({ err: error, thread: name }, 'A thread failed'));
    worker.on('exit', () => {
      clearInterval(looks);
      this.#worker = null;
      if (!this.#isStopped || end.stoodStill) this.#next = this.#replace({ ...end, workingOn: progress.workingOn });
    });
    return worker;
  }

  async #replace(end: ThreadEnd): Promise<void> {
    const { name, log, onEnd } = this.#options;
    const message = end.stoodStill ? 'A thread stood still and was ended' : 'A thread ended';
    log.error({ thread: name, workingOn: end.workingOn }, `${message}; it will be replaced`);
    try {
      await onEnd?.(end);
    } catch (error) {
      log.error({ err: error, thread: name }, 'What a thread was working on could not be recorded');
    }
    if (this.#isStopped) return;
    setTimeout(() => {
      if (!this.#isStopped) this.#launch();
    }, RESTART_AFTER).unref();
  }
}

/** Calls `onStandstill` once the progress hasn't changed for all of the looks. */
function lookAt(progress: Progress, every: number, onStandstill: () => void): NodeJS.Timeout {
  let seen = progress.beats;
  let missed = 0;
  const timer = setInterval(() => {
    missed = progress.beats === seen ? missed + 1 : 0;
    seen = progress.beats;
    if (missed < LOOKS) return;
    clearInterval(timer);
    onStandstill();
  }, every);
  return timer.unref();
}
