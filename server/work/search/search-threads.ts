/** The search threads, seen from the web process: all questions of a scope go to the same thread, which keeps its store. */
import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { SearchContext } from '#contract/facets.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import { type Metrics, stopwatch } from '#server/platform/metrics/metrics.ts';
import { type AccessScope, scopeKey } from './access-scope.ts';
import type { AnswerTo, Question, SearchReply, SearchRequest, ThreadData } from './thread-protocol.ts';

const THREADS = 2;
/** The memory limit of the stores of all threads, in bytes. */
const MEMORY = 2_000_000_000;

export interface AskOptions {
  /** A transaction whose changes the answer must include; 'now': all committed transactions. */
  after: string | null;
  /** Whether to answer from a part of the list while the rest is being loaded; by default not. */
  takesPart?: boolean | undefined;
  now: Date;
}

interface Waiting {
  request: SearchRequest;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
  isSecondTry: boolean;
}

export interface SearchPoolOptions {
  /** The database URL of the app role. */
  url: string;
  /** That of a hot standby that rows are read from. */
  replicaUrl?: string | undefined;
  log: Logger;
  threads?: number;
  metrics?: Pick<Metrics, 'searches'>;
}

export class SearchPool {
  readonly #threads: Thread[];
  readonly #metrics: Pick<Metrics, 'searches'> | undefined;
  readonly #log: Logger;
  readonly #hasReplica: boolean;
  #replicaState: ReplicaState = 'not looked at yet';

  /** Threads start with the first question, or at once if there is a replica, so that its state is known. */
  constructor({ url, replicaUrl, log, threads = THREADS, metrics }: SearchPoolOptions) {
    this.#metrics = metrics;
    this.#log = log;
    this.#hasReplica = replicaUrl !== undefined;
    const data = { url, replicaUrl: replicaUrl ?? null, memory: MEMORY / threads };
    this.#threads = Array.from({ length: threads }, () => new Thread(data, log, () => this.#noteReplica()));
    if (this.#hasReplica) for (const thread of this.#threads) thread.start();
  }

  /** Asks the thread of the scope. Errors: DatabaseUnavailableError. */
  ask<K extends Question['kind']>(
    scope: AccessScope,
    context: SearchContext,
    question: Extract<Question, { kind: K }>,
    { after, takesPart = false, now }: AskOptions,
  ): Promise<AnswerTo[K]> {
    const index = Number.parseInt(hash('sha256', scopeKey(scope), 'hex').slice(0, 8), 16) % this.#threads.length;
    const thread = this.#threads[index] as Thread;
    const took = stopwatch();
    return thread
      .ask({ scope, context, question, after, takesPart, now: now.getTime() })
      .finally(() => this.#metrics?.searches.observe({ kind: question.kind }, took()));
  }

  /** Whether rows are read from the replica; null if there is none. */
  get usesReplica(): boolean | null {
    return this.#hasReplica ? this.#replicaState === null : null;
  }

  /** Logs once for all threads when the replica goes out of use or comes back. */
  #noteReplica(): void {
    const states = this.#threads.map((thread) => thread.replicaState);
    const state = states.find((each) => each !== null) ?? null;
    if (state === this.#replicaState) return;
    this.#replicaState = state;
    if (state === null) this.#log.info('Search: rows are read from the replica');
    else this.#log.error({ reason: state }, 'Search: the replica is out of use, and rows are read from the primary');
  }

  /** How many questions have no answer yet. */
  get waiting(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.waiting, 0);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

let lastId = 0;

/** Why the replica is out of use; null if it is in use. */
type ReplicaState = string | null;

class Thread {
  readonly #data: ThreadData;
  readonly #log: Logger;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onReplica: () => void;
  #worker: Worker | null = null;
  #isClosed = false;
  replicaState: ReplicaState = 'not looked at yet';

  constructor(data: ThreadData, log: Logger, onReplica: () => void) {
    this.#data = data;
    this.#log = log;
    this.#onReplica = onReplica;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  ask(of: Omit<SearchRequest, 'id'>): Promise<never> {
    const request = { ...of, id: ++lastId };
    return new Promise((resolve, reject) => this.#send({ request, resolve, reject, isSecondTry: false }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('stop');
    await gone;
  }

  #send(waiting: Waiting): void {
    if (this.#isClosed) return waiting.reject(new DatabaseUnavailableError('The search has been closed'));
    this.#waiting.set(waiting.request.id, waiting);
    this.start().postMessage(waiting.request);
  }

  /** Returns the running thread; starts one if there is none. */
  start(): Worker {
    this.#worker ??= this.#launch();
    return this.#worker;
  }

  #launch(): Worker {
    const worker = new Worker(new URL('./search-thread.ts', import.meta.url), {
      workerData: this.#data,
      name: 'search',
    });
    worker.on('message', (reply: SearchReply) => this.#receive(reply));
    worker.on('error', (error) => this.#log.error({ err: error }, 'Search: a thread failed'));
    worker.on('exit', (code) => this.#replace(worker, code));
    return worker;
  }

  #receive(reply: SearchReply): void {
    if (reply.kind === 'log') return this.#log[reply.level](reply.fields, reply.message);
    if (reply.kind === 'replica') {
      this.replicaState = reply.reason;
      return this.#onReplica();
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'answer') waiting?.resolve(reply.result as never);
    else if (reply.isUnavailable) waiting?.reject(new DatabaseUnavailableError('The search cannot reach the database'));
    else waiting?.reject(new Error(`The search failed: ${reply.message}`));
  }

  /** A thread that died can be replaced, because its stores can be read again. Its open questions are asked once more. */
  #replace(worker: Worker, code: number): void {
    if (this.#worker === worker) this.#worker = null;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    if (!this.#isClosed)
      this.#log.error({ code, questions: lost.length }, 'Search: a thread ended and will be replaced');
    for (const waiting of lost) {
      if (waiting.isSecondTry || this.#isClosed) waiting.reject(new DatabaseUnavailableError('A search thread ended'));
      else this.#send({ ...waiting, isSecondTry: true });
    }
  }
}
