export interface TurnLimits {
  /** How many of a key's turns run at the same time. */
  most: number;
  /** How many more may wait. */
  waiting: number;
  /** Milliseconds after which one that waits gives up. */
  patience: number;
}

/**
 * Lets each key, such as a user's id, do only so much at the same time; the rest waits, first come, first served. In memory and per process.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Returns the function that ends the turn, once it has begun, or null if too many wait already or it would take too long. */
  async take(key: string): Promise<(() => void) | null> {
    const running = this.#running.get(key) ?? 0;
    if (running >= this.#limits.most && !(await this.#wait(key))) return null;
    if (running < this.#limits.most) this.#running.set(key, running + 1);
    let isOver = false;
    return () => {
      if (!isOver) this.#end(key);
      isOver = true;
    };
  }

  #wait(key: string): Promise<boolean> {
    const queue = this.#waiting.get(key) ?? new Set();
    if (queue.size >= this.#limits.waiting) return Promise.resolve(false);
    this.#waiting.set(key, queue);
    return new Promise((resolve) => {
      const settle = (begins: boolean) => {
        clearTimeout(timer);
        queue.delete(begin);
        if (queue.size === 0) this.#waiting.delete(key);
        resolve(begins);
      };
      const begin = () => settle(true);
      const timer = setTimeout(() => settle(false), this.#limits.patience);
      queue.add(begin);
    });
  }

  /** Hands the turn to the next that waits, if any. */
  #end(key: string): void {
    const [next] = this.#waiting.get(key) ?? [];
    if (next) return next();
    const left = (this.#running.get(key) ?? 0) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
  }
}
