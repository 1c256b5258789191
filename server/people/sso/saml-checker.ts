import { Worker } from 'node:worker_threads';
import { type RefusalCode, SsoRefusal } from './refusal.ts';
import type { SamlAnswer, SamlQuestion } from './saml-response.ts';
import type { SamlReply } from './saml-thread.ts';
import { isWithinXmlLimits } from './xml-limits.ts';

/** Milliseconds for one response. An honest one takes some ten, and the worst within the limits about a second. */
const TIME_LIMIT = 10_000;
/** Responses that may wait: from one address, which a whole hospital may share, and altogether. */
const MOST_WAITING = { fromAddress: 20, inAll: 60 };
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

interface Job {
  question: SamlQuestion;
  resolve: (answer: SamlAnswer) => void;
  reject: (refusal: SsoRefusal) => void;
}

/**
 * Checks SAML responses in one thread of its own, with limits of time and memory: anyone can send one, and whatever it contains, it cannot hold
 * up the server or take more than one core. Addresses take turns, so that one that floods us delays the others by one response at most.
 */
export class SamlChecker {
  readonly #timeLimit: number;
  /** By address; the address whose turn is next comes first. */
  readonly #waiting = new Map<string, Job[]>();
  #running: { job: Job; timer?: NodeJS.Timeout } | null = null;
  #worker: Worker | null = null;
  #isReady = false;

  constructor({ timeLimit = TIME_LIMIT } = {}) {
    this.#timeLimit = timeLimit;
  }

  /**
   * Resolves with whom the response signs in. Throws SsoRefusal: OVERSIZED for XML beyond the limits, BUSY if too many responses wait,
   * TOO_COSTLY if the check took too much time or memory, and as `checkSamlResponse` does.
   */
  check(question: SamlQuestion, address: string): Promise<SamlAnswer> {
    return new Promise((resolve, reject) => {
      const xml = Buffer.from(question.samlResponse, 'base64').toString('utf8');
      if (!isWithinXmlLimits(xml)) return reject(new SsoRefusal('OVERSIZED'));
      const ofAddress = this.#waiting.get(address) ?? [];
      const inAll = [...this.#waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0);
      if (ofAddress.length >= MOST_WAITING.fromAddress || inAll >= MOST_WAITING.inAll) {
        return reject(new SsoRefusal('BUSY'));
      }
      ofAddress.push({ question, resolve, reject });
      this.#waiting.set(address, ofAddress);
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== null) return;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [address, jobs] = first;
    this.#waiting.delete(address);
    const job = jobs.shift() as Job;
    if (jobs.length > 0) this.#waiting.set(address, jobs);
    this.#running = { job };
    this.#worker ??= this.#start();
    if (this.#isReady) this.#run(this.#worker);
  }

  #run(worker: Worker): void {
    if (this.#running === null) return;
    this.#running.timer = setTimeout(() => this.#lose(worker), this.#timeLimit);
    worker.postMessage(this.#running.job.question);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./saml-thread.ts', import.meta.url), {
      name: 'saml',
      resourceLimits: RESOURCE_LIMITS,
    });
    // The process may end while the thread is idle.
    worker.unref();
    worker.on('message', (reply: SamlReply) => this.#receive(worker, reply));
    // Out of memory arrives as an error, and every end as an exit.
    worker.on('error', () => this.#lose(worker));
    worker.on('exit', () => this.#lose(worker));
    return worker;
  }

  #receive(worker: Worker, reply: SamlReply): void {
    if (worker !== this.#worker) return;
    if (reply.kind === 'ready') {
      this.#isReady = true;
      return this.#run(worker);
    }
    const job = this.#finish();
    if (reply.kind === 'answer') job?.resolve(reply.answer);
    else job?.reject(refusalOf(reply));
    this.#next();
  }

  /** Ends a thread that took too long or died, and refuses what it was working on. The next response starts another. */
  #lose(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    this.#isReady = false;
    void worker.terminate();
    this.#finish()?.reject(new SsoRefusal('TOO_COSTLY'));
    this.#next();
  }

  #finish(): Job | null {
    const running = this.#running;
    this.#running = null;
    clearTimeout(running?.timer);
    return running?.job ?? null;
  }
}

/** The refusal has the stack of the thread, which shows which check failed. */
function refusalOf({ code, at }: Extract<SamlReply, { kind: 'refusal' }>): SsoRefusal {
  const refusal = new SsoRefusal(code as RefusalCode);
  refusal.stack = `${refusal.name}: ${code}\n${at}`;
  return refusal;
}
