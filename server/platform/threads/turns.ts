/**
 * Lets work that may run side by side and work that must run by itself take turns within a thread. If a thread is ended while something
 * runs by itself, nothing else can be the cause.
 */
export class Turns {
  readonly #shared = new Set<Promise<unknown>>();
  #alone: Promise<unknown> | null = null;

  /** Runs `work` beside other shared work, after work that is running alone. */
  async share<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    const running = work();
    const ended = running.catch(() => {});
    this.#shared.add(ended);
    try {
      return await running;
    } finally {
      this.#shared.delete(ended);
    }
  }

  /** Runs `work` after all other work, and lets nothing else begin until it has ended. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    const running = Promise.all(this.#shared).then(work);
    const ended = running.catch(() => {});
    this.#alone = ended;
    try {
      return await running;
    } finally {
      if (this.#alone === ended) this.#alone = null;
    }
  }
}
